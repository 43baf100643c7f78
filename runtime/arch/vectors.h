// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Saving of the registers that a callback may use beside the general ones: vector registers hold
// arguments of the traced function at its entry, and vector and x87 registers its results at its
// exit.

#pragma once

#include <stdint.h>

namespace nophook {

// Finds out which state this machine has. Once, before the others.
void find_vector_state();

// Bytes of an area, a multiple of 64; any machine has at least this many.
constexpr uint64_t kLeastVectorBytes = 576;
uint64_t vector_state_bytes();

// Between save and restore the registers are the callback's. `area` is 64-byte aligned, and the
// same for both. x87 registers count among them: they hold results. Signal safe.
void save_vectors(void *area);
void restore_vectors(void *area);

// Width of the vector registers of this machine, in bytes: 16, 32 or 64.
uint32_t vector_register_bytes();

// Copies the present value of one register: the lowest 16, 32 or 64 bytes of vector register
// `number` (below kVectorRegisters; at most as wide as they are), or all ten of st(number) (below
// Arch::kX87Results; it is in use).
void read_vector_register(uint32_t number, uint32_t bytes, void *to);
void read_x87_register(uint32_t number, void *to);

// The number of vector registers that may hold a recorded value (nophook/prototype.h).
constexpr uint32_t kVectorRegisters = 16;

} // namespace nophook
