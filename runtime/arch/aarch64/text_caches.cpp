// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cache maintenance by address, to the point of unification. CTR_EL0 says how long lines are, and
// whether the CPU needs it at all: IDC that the data side needs no cleaning, DIC that the
// instruction side needs no invalidation. Linux lets programs execute these instructions.

#include "arch/aarch64/execute.h"

namespace nophook {
namespace {

uint64_t read_ctr() {
  uint64_t ctr;
  __asm__("mrs %0, ctr_el0" : "=r"(ctr));
  return ctr;
}

constexpr unsigned kIdc = 28, kDic = 29, kDataLine = 16, kInsnLine = 0; // fields of CTR_EL0

template <class Maintain>
uint64_t each_line(const void *at, uint64_t bytes, uint64_t line_bytes, Maintain maintain) {
  uint64_t lines = 0;
  const auto start = reinterpret_cast<uint64_t>(at), end = start + bytes;
  for (uint64_t line = start & ~(line_bytes - 1); line < end; line += line_bytes, lines++)
    maintain(line);
  return lines;
}

// A field is the logarithm of a number of words of 4 bytes.
uint64_t line_bytes(uint64_t ctr, unsigned field) {
  return uint64_t{4} << (ctr >> field & 0xf);
}

} // namespace

uint64_t AArch64Execute::clean_text(const void *at, uint64_t bytes) {
  const uint64_t ctr = read_ctr();
  if (ctr >> kIdc & 1)
    return 0;
  return each_line(at, bytes, line_bytes(ctr, kDataLine), [](uint64_t line) {
    __asm__ volatile("dc cvau, %0" : : "r"(line) : "memory");
  });
}

uint64_t AArch64Execute::forget_text(const void *at, uint64_t bytes) {
  const uint64_t ctr = read_ctr();
  if (ctr >> kDic & 1)
    return 0;
  return each_line(at, bytes, line_bytes(ctr, kInsnLine), [](uint64_t line) {
    __asm__ volatile("ic ivau, %0" : : "r"(line) : "memory");
  });
}

} // namespace nophook
