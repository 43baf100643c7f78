// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Saving the vector registers, x87 and MXCSR around a callback that may use them: they hold
// arguments of the traced function. The CPU's own instruction saves what is in use, whatever
// the widest register of this machine is.

#pragma once

#include <stdint.h>

namespace nophook {

// Finds out which state this machine has. Once, before the others.
void find_vector_state();

// Bytes of an area, a multiple of 64.
uint64_t vector_state_bytes();

// Between them the registers are the callback's: as at a function's entry. `area` is 64-byte
// aligned. Signal safe.
void save_vectors(void *area);
void restore_vectors(void *area);

} // namespace nophook
