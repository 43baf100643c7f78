// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A call's return addresses, as an event behind its own: func_stack_trace, and the trigger
// `stacktrace`. They are found by frame pointers (-fno-omit-frame-pointer), as the kernel's are
// where it has no tables: without them the walk ends at the caller. It ends, too, where an address
// is not behind a call: what lies there is no frame.

#pragma once

#include "arch/callback_path.h"

namespace nophook {

// In callbacks, with all registers of an entry. `site`: in the function itself.
void write_stack_trace(uint64_t site, const ftrace_regs *regs);

// The same addresses, and the lowest byte of what each function has of the stack. Returns how many
// there are, at most `most`.
struct StackStep {
  uint64_t address;
  uint64_t low;
};
uint32_t walk_stack(uint64_t site, const ftrace_regs *regs, StackStep *steps, uint32_t most);

} // namespace nophook
