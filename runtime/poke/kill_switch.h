// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernel's ftrace_kill(). If the text is not what the runtime expects, every further write to
// the traced program is a guess. So all sites become NOPs again, the reason is kept, tracing stays
// off for good, and the program continues.

#pragma once

#include "base/log.h"

namespace nophook {

// Turns all enabled sites into NOPs and refuses every later change but those to NOPs. Only the
// first reason is kept; it is logged. The records' counts stay what they are, ENABLED and the
// bits of registers go. Hold the runtime's lock, and be in no batch.
void trip_kill_switch(const LogText &reason);

// The reason why the switch is tripped, one line; null while it is not. Any thread, any time.
const char *kill_reason();

} // namespace nophook
