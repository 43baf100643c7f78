// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Saving what a callback may use beside general registers: vector registers hold arguments of
// the traced function at its entry, and vector and x87 registers its results at its exit.

#pragma once

#include <stdint.h>

namespace nophook {

// Finds out which state this machine has. Once, before the others.
void find_vector_state();

// Bytes of an area, a multiple of 64; any machine has at least this many.
constexpr uint64_t kLeastVectorBytes = 576;
uint64_t vector_state_bytes();

// Between the two the registers are the callback's. `area` is 64-byte aligned, and the same for
// both. x87 registers count among them: they hold results. Signal safe.
void save_vectors(void *area);
void restore_vectors(void *area);

// How wide vector registers are here: 16, 32 or 64 bytes.
uint32_t vector_register_bytes();

// One register's value, as it is now: the lowest 16, 32 or 64 bytes of vector register `number`
// (below kVectorRegisters; at most as wide as they are), or all ten of st(number) (below
// Arch::kX87Results; it is in use).
void read_vector_register(uint32_t number, uint32_t bytes, void *to);
void read_x87_register(uint32_t number, void *to);

// A recorded value may be in this many of the vector registers (nophook/prototype.h).
constexpr uint32_t kVectorRegisters = 16;

} // namespace nophook
