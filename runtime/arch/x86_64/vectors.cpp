// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Saves the vector registers of x86-64: by hand where the CPU shows which registers are in use
// (vectors.S), since XRSTOR alone takes ten times as long as a callback; else by XSAVEC, XSAVE or
// FXSAVE.
//
// Only registers that C code may change are saved: x87, SSE, AVX and AVX-512. PKRU is left out,
// since it is a permission and no argument is in it; and so are AMX's tiles, 8 KiB that no compiler
// uses unasked.

#include "arch/vectors.h"

#include "arch/x86_64/vector_ways.h"

#include <cpuid.h>

extern "C" void nophook_save_used_vectors(void *area);
extern "C" void nophook_restore_used_vectors(void *area);

namespace nophook {
namespace {

constexpr uint32_t kWanted = 0xe7; // x87, SSE, AVX, opmask, ZMM_Hi256, Hi16_ZMM
constexpr uint32_t kOpmask = 0x20;
constexpr uint64_t kLegacyBytes = 512, kHeaderBytes = 64;
constexpr uint64_t kByHandBytes = 64 + 32 * 64 + 64 + kLegacyBytes; // vectors.S
static_assert(kLegacyBytes + kHeaderBytes >= kLeastVectorBytes);

VectorWay g_way = VectorWay::kFxsave, g_best = VectorWay::kFxsave;
uint32_t g_mask = 0;
uint64_t g_bytes = kLegacyBytes + kHeaderBytes;

uint32_t enabled_by_kernel() {
  uint32_t low, high;
  __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return low;
}

// Whether the CPU has what vectors.S needs: the list of used parts (XGETBV with 1), and moves of
// 64-bit masks (AVX512BW).
bool can_save_by_hand(uint32_t features) {
  uint32_t a, b, c, d;
  if (!(features & 4))
    return false;
  return !(g_mask & kOpmask) || (__get_cpuid_count(7, 0, &a, &b, &c, &d) && b & bit_AVX512BW);
}

// XSAVE and XSAVEC leave its reserved words alone, which XRSTOR wants to be 0.
__attribute__((disable_sanitizer_instrumentation)) void clear_header(void *area) {
  auto *header = reinterpret_cast<uint64_t *>(static_cast<char *>(area) + kLegacyBytes);
  for (unsigned i = 0; i < kHeaderBytes / sizeof *header; i++)
    header[i] = 0;
}

} // namespace

void find_vector_state() {
  static bool is_known = false; // callbacks read it from then on
  if (is_known)
    return;
  is_known = true;
  uint32_t a, b, c, d;
  if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_OSXSAVE))
    return;
  g_mask = enabled_by_kernel() & kWanted;
  g_best = VectorWay::kXsave;
  uint64_t end = kLegacyBytes + kHeaderBytes;
  for (uint32_t i = 2; i < 8; i++)
    if (g_mask >> i & 1 && __get_cpuid_count(0xd, i, &a, &b, &c, &d) && b + a > end)
      end = b + a; // offset and size in the standard format, which is the larger one
  uint32_t features = 0;
  if (__get_cpuid_count(0xd, 1, &a, &b, &c, &d))
    features = a;
  if (features & 2)
    g_best = VectorWay::kXsavec;
  if (can_save_by_hand(features))
    g_best = VectorWay::kByHand;
  end = g_best == VectorWay::kByHand && end < kByHandBytes ? kByHandBytes : end;
  g_bytes = (end + 63) / 64 * 64;
  g_way = g_best;
}

uint64_t vector_state_bytes() {
  return g_bytes;
}

// A CPU with a later way has the earlier ones, but XGETBV with 1 (by hand) without XSAVEC.
bool set_vector_way(VectorWay way) {
  uint32_t a, b, c, d;
  bool has_xsavec = __get_cpuid_count(0xd, 1, &a, &b, &c, &d) && a & 2;
  if (way > g_best || (way == VectorWay::kXsavec && !has_xsavec))
    return false;
  g_way = way;
  return true;
}

VectorWay vector_way() {
  return g_way;
}

// A sanitizer's own calls in these two would change the registers that they are about.
__attribute__((disable_sanitizer_instrumentation)) void save_vectors(void *area) {
  switch (g_way) {
  case VectorWay::kByHand:
    nophook_save_used_vectors(area);
    return;
  case VectorWay::kXsavec:
    clear_header(area);
    __asm__ volatile("xsavec64 (%0)" ::"r"(area), "a"(g_mask), "d"(0) : "memory");
    return;
  case VectorWay::kXsave:
    clear_header(area);
    __asm__ volatile("xsave64 (%0)" ::"r"(area), "a"(g_mask), "d"(0) : "memory");
    return;
  case VectorWay::kFxsave:
    __asm__ volatile("fxsave64 (%0)" ::"r"(area) : "memory");
    return;
  }
}

__attribute__((disable_sanitizer_instrumentation)) void restore_vectors(void *area) {
  if (g_way == VectorWay::kByHand)
    nophook_restore_used_vectors(area);
  else if (g_way == VectorWay::kFxsave)
    __asm__ volatile("fxrstor64 (%0)" ::"r"(area) : "memory");
  else
    __asm__ volatile("xrstor64 (%0)" ::"r"(area), "a"(g_mask), "d"(0) : "memory");
}

uint32_t vector_register_bytes() {
  constexpr uint32_t kAvx = 4, kAvx512 = 0xe0;
  return (g_mask & kAvx512) == kAvx512 ? 64 : g_mask & kAvx ? 32 : 16;
}

void read_vector_register(uint32_t number, uint32_t bytes, void *to) {
#define NOPHOOK_READ(n)                                                                            \
  case n:                                                                                          \
    if (bytes == 16)                                                                               \
      __asm__ volatile("movups %%xmm" #n ", (%0)" ::"r"(to) : "memory");                           \
    else if (bytes == 32)                                                                          \
      __asm__ volatile("vmovups %%ymm" #n ", (%0)" ::"r"(to) : "memory");                          \
    else                                                                                           \
      __asm__ volatile("vmovups %%zmm" #n ", (%0)" ::"r"(to) : "memory");                          \
    return;
  switch (number) {
    NOPHOOK_READ(0)
    NOPHOOK_READ(1)
    NOPHOOK_READ(2)
    NOPHOOK_READ(3)
    NOPHOOK_READ(4)
    NOPHOOK_READ(5)
    NOPHOOK_READ(6)
    NOPHOOK_READ(7)
    NOPHOOK_READ(8)
    NOPHOOK_READ(9)
    NOPHOOK_READ(10)
    NOPHOOK_READ(11)
    NOPHOOK_READ(12)
    NOPHOOK_READ(13)
    NOPHOOK_READ(14)
    NOPHOOK_READ(15)
  }
#undef NOPHOOK_READ
}

// The copy is pushed and popped: the stack of registers is as it was.
void read_x87_register(uint32_t number, void *to) {
  if (number == 0)
    __asm__ volatile("fld %%st(0); fstpt (%0)" ::"r"(to) : "memory");
  else
    __asm__ volatile("fld %%st(1); fstpt (%0)" ::"r"(to) : "memory");
}

} // namespace nophook
