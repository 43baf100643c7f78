// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// trace_clock and the option overwrite of a buffer that is in use, the main one or an instance's,
// which the caller holds. What was in it is gone. Without the lock: they wait for callbacks.
// Nothing happens if it is so already.
//
// Errors: EBUSY (a recorder reads the buffer, which was told what it is before it began; the
// profiler is on and the clock is not its; the time-stamp counter is behind), those of
// set_tracer().

#pragma once

#include "buffer/buffer.h"

namespace nophook {

Status change_clock(Buffer &buffer, const ClockName &wanted);
Status change_overwrite(Buffer &buffer, bool on);

} // namespace nophook
