// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The actions of a trigger, which a function's call fires (tracers/triggers.h), or an event that
// was made by text (events/text_events.h).

#pragma once

#include "arch/callback_path.h"
#include "buffer/trace_buffer.h"

namespace nophook {

enum class TriggerAction : uint8_t { kTraceOn, kTraceOff, kStackTrace, kSnapshot, kDump };

// Whether a trigger may act once more; below 0: always. In callbacks, from several threads.
bool take_one(int64_t *count);

// In callbacks, with all registers of an entry: to a buffer. `count` goes down if something has
// been done or changed. `ip`: in the function itself.
void run_trigger_action(TriggerAction action, Buffer &buffer, int64_t *count, uint64_t ip,
                        const ftrace_regs *regs);

} // namespace nophook
