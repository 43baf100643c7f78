// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the performance counters of AArch64: each is a register of its own name.

#include "arch/aarch64/execute.h"

namespace nophook {

uint64_t AArch64Execute::read_pmc(uint32_t number) {
  uint64_t value = 0;
#define NOPHOOK_READ(n)                                                                            \
  case n:                                                                                          \
    __asm__ volatile("mrs %0, pmevcntr" #n "_el0" : "=r"(value));                                  \
    break;
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
    NOPHOOK_READ(16)
    NOPHOOK_READ(17)
    NOPHOOK_READ(18)
    NOPHOOK_READ(19)
    NOPHOOK_READ(20)
    NOPHOOK_READ(21)
    NOPHOOK_READ(22)
    NOPHOOK_READ(23)
    NOPHOOK_READ(24)
    NOPHOOK_READ(25)
    NOPHOOK_READ(26)
    NOPHOOK_READ(27)
    NOPHOOK_READ(28)
    NOPHOOK_READ(29)
    NOPHOOK_READ(30)
  case 31:
    __asm__ volatile("mrs %0, pmccntr_el0" : "=r"(value));
    break;
  }
#undef NOPHOOK_READ
  return value;
}

} // namespace nophook
