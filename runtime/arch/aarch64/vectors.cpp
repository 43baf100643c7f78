// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// AArch64: all 32 registers of 16 bytes, FPSR and FPCR; or, on a CPU with SVE, the longer registers
// that these are a part of: a load of the short one would make the rest of the long one 0.

#include "arch/vectors.h"

#include <sys/auxv.h>

extern "C" void nophook_save_vectors(void *area);
extern "C" void nophook_restore_vectors(void *area);
extern "C" uint64_t nophook_sve_bytes();
extern "C" uint64_t nophook_svcr();
extern "C" void nophook_save_sve(void *area, bool has_ffr);
extern "C" void nophook_restore_sve(void *area, bool has_ffr);
extern "C" void nophook_store_vectors(void *to);

namespace nophook {

constexpr uint32_t kRegisterBytes = 16, kRegisters = 32, kStatusBytes = 16;
constexpr uint64_t kAreaBytes = (kRegisters * kRegisterBytes + kStatusBytes + 63) / 64 * 64;
static_assert(kAreaBytes >= kLeastVectorBytes);

// Bytes of a register when find_vector_state() ran; 0: there is no SVE.
static uint64_t g_sve_bytes = 0;
static bool g_has_sme = false;

void find_vector_state() {
  constexpr unsigned long kHasSve = 1 << 22, kHasSme = 1 << 23; // HWCAP_SVE, HWCAP2_SME
  g_has_sme = getauxval(AT_HWCAP2) & kHasSme;
  if (!g_sve_bytes && getauxval(AT_HWCAP) & kHasSve)
    g_sve_bytes = nophook_sve_bytes();
}

uint64_t vector_state_bytes() {
  const uint64_t predicates = 17 * g_sve_bytes / 8; // and FFR
  const uint64_t sve = (64 + kRegisters * g_sve_bytes + predicates + 63) / 64 * 64;
  return g_sve_bytes ? sve : kAreaBytes;
}

// Whether FFR exists: in streaming mode, an instruction that touches it is undefined.
static bool has_ffr() {
  return !g_has_sme || !(nophook_svcr() & 1);
}

// Whether the area has room for the registers. A thread may have asked for longer ones since
// (PR_SVE_SET_VL), or those of streaming mode may be longer.
static bool saves_sve() {
  return g_sve_bytes && nophook_sve_bytes() <= g_sve_bytes;
}

void save_vectors(void *area) {
  if (saves_sve())
    nophook_save_sve(area, has_ffr());
  else
    nophook_save_vectors(area);
}

void restore_vectors(void *area) {
  if (saves_sve())
    nophook_restore_sve(area, has_ffr());
  else
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
