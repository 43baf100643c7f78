// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The trampoline of live patching, and the C++ that it asks. docs/design/livepatch.md has the
// protocol.

#pragma once

#include <stdint.h>

namespace nophook {

extern "C" {

// Entered by a jump from a thunk (Arch::write_thunk), with the stack and the registers of the
// patched function's entry. Continues at what nophook_klp_target() returns; keeps every register.
void nophook_klp_caller();
// The end of that trampoline. A thread that has an address in between on its stack is in front of
// its decision, or between the decision and the function.
extern const char nophook_klp_caller_end[];

// The target of this call of patched function `index`. `sp`: the lowest word of the stack that
// counts, which is the function's return address or below it. Compiled without vector instructions;
// calls nothing of libc.
uint64_t nophook_klp_target(uint32_t index, uint64_t sp);
}

// Bytes of code behind the entry of a trampoline that calls a body, before the body's address is in
// its frame; no call is made in them. Until then only the interrupted program counter shows that a
// thread is about to enter the body.
constexpr uint64_t kBodyWindowBytes = 48;

} // namespace nophook
