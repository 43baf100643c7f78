// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cache maintenance by address, as CTR_EL0 asks for it. Linux lets programs execute these
// instructions.

#include "arch/aarch64/cache_type.h"
#include "arch/aarch64/execute.h"

namespace nophook {
namespace {

uint64_t read_ctr() {
  uint64_t ctr;
  __asm__("mrs %0, ctr_el0" : "=r"(ctr));
  return ctr;
}

template <class Maintain>
uint64_t each_line(const void *at, uint64_t bytes, uint64_t line_bytes, Maintain maintain) {
  uint64_t lines = 0;
  const auto start = reinterpret_cast<uint64_t>(at), end = start + bytes;
  for (uint64_t line = start & ~(line_bytes - 1); line < end; line += line_bytes, lines++)
    maintain(line);
  return lines;
}

} // namespace

uint64_t AArch64Execute::clean_text(const void *at, uint64_t bytes) {
  const uint64_t ctr = read_ctr();
  if (!must_clean(ctr))
    return 0;
  return each_line(at, bytes, data_line_bytes(ctr), [](uint64_t line) {
    __asm__ volatile("dc cvau, %0" : : "r"(line) : "memory");
  });
}

uint64_t AArch64Execute::forget_text(const void *at, uint64_t bytes) {
  const uint64_t ctr = read_ctr();
  if (!must_invalidate(ctr))
    return 0;
  return each_line(at, bytes, insn_line_bytes(ctr), [](uint64_t line) {
    __asm__ volatile("ic ivau, %0" : : "r"(line) : "memory");
  });
}

} // namespace nophook
