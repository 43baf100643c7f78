// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// AArch64: all 32 registers of 16 bytes, FPSR and FPCR.

#include "arch/vectors.h"

extern "C" void nophook_save_vectors(void *area);
extern "C" void nophook_restore_vectors(void *area);
extern "C" void nophook_store_vectors(void *to);

namespace nophook {

constexpr uint32_t kRegisterBytes = 16, kRegisters = 32, kStatusBytes = 16;
constexpr uint64_t kAreaBytes = (kRegisters * kRegisterBytes + kStatusBytes + 63) / 64 * 64;
static_assert(kAreaBytes >= kLeastVectorBytes);

void find_vector_state() {}

uint64_t vector_state_bytes() {
  return kAreaBytes;
}

void save_vectors(void *area) {
  nophook_save_vectors(area);
}

void restore_vectors(void *area) {
  nophook_restore_vectors(area);
}

uint32_t vector_register_bytes() {
  return kRegisterBytes;
}

void read_vector_register(uint32_t number, uint32_t, void *to) {
  uint64_t registers[kVectorRegisters][2];
  nophook_store_vectors(registers);
  auto *words = static_cast<uint64_t *>(to);
  words[0] = registers[number][0];
  words[1] = registers[number][1];
}

void read_x87_register(uint32_t, void *) {}

} // namespace nophook
