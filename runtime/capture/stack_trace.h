// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A call's return addresses, as an event behind its own: func_stack_trace, and the trigger
// `stacktrace`. They are found by frame pointers (-fno-omit-frame-pointer), as the kernel's are
// where it has no tables: without them the walk ends at the caller. It also ends at an address that
// is not behind a call: that word belongs to no frame.

#pragma once

#include "arch/callback_path.h"

namespace nophook {

struct Buffer;

// Writes the event, in callbacks, with all registers of an entry. `site`: in the function itself.
void write_stack_trace(Buffer &buffer, uint64_t site, const ftrace_regs *regs);

// The same addresses, innermost first, each with the lowest byte of its function's stack frame; at
// most `most`. Nothing is collected: the traced stack has no room for it.
struct StackStep {
  uint64_t address;
  uint64_t low;
};
void walk_stack(uint64_t site, const ftrace_regs *regs, uint32_t most,
                void (*visit)(void *context, const StackStep &step), void *context);

} // namespace nophook
