// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The AArch64 instructions that the runtime executes and C++ has no words for.

#pragma once

#include <stdint.h>
#include <sys/syscall.h>

namespace nophook {

struct AArch64Execute {
  // Number in x8, arguments in x0 to x5; the kernel keeps all other registers.
  static long raw_syscall(long number, long a, long b, long c, long d, long e, long f) {
    register long x8 __asm__("x8") = number;
    register long x0 __asm__("x0") = a;
    register long x1 __asm__("x1") = b;
    register long x2 __asm__("x2") = c;
    register long x3 __asm__("x3") = d;
    register long x4 __asm__("x4") = e;
    register long x5 __asm__("x5") = f;
    __asm__ volatile("svc 0"
                     : "+r"(x0)
                     : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
                     : "memory");
    return x0;
  }

  // Without a barrier, which would cost more than the event: the CPU may read it some instructions
  // early. The architecture wants it to run at one speed, the same on all cores (Arm ARM, D12.1).
  static uint64_t read_counter() {
    uint64_t ticks;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
    return ticks;
  }
  static bool is_counter_steady() { return true; }
  static uint64_t counter_hz() {
    uint64_t hz;
    __asm__("mrs %0, cntfrq_el0" : "=r"(hz));
    return hz;
  }

  // Reads an event counter; 31 is that of cycles (perf_event_mmap_page::index - 1, as on every
  // CPU).
  static uint64_t read_pmc(uint32_t number);

  // An exclusive load and store: an exception's return clears the monitor (Arm ARM, B2.12), so a
  // handler that has come in between makes the store fail.
  static bool exchange_own(uint64_t *at, uint64_t expected, uint64_t wanted) {
    uint64_t found;
    uint32_t failed;
    __asm__ volatile("1: ldxr %0, %2\n"
                     "   cmp %0, %3\n"
                     "   b.ne 2f\n"
                     "   stxr %w1, %4, %2\n"
                     "   cbnz %w1, 1b\n"
                     "2:"
                     : "=&r"(found), "=&r"(failed), "+Q"(*at)
                     : "r"(expected), "r"(wanted)
                     : "cc", "memory");
    return found == expected;
  }
  static bool add_own(uint64_t *at, uint64_t number) {
    uint64_t sum;
    uint32_t failed;
    __asm__ volatile("1: ldxr %0, %2\n"
                     "   add %0, %0, %3\n"
                     "   stxr %w1, %0, %2\n"
                     "   cbnz %w1, 1b"
                     : "=&r"(sum), "=&r"(failed), "+Q"(*at)
                     : "r"(number)
                     : "memory");
    return sum < number;
  }

  static void prefetch_for_write(const uint8_t *at) {
    __asm__ volatile("prfm pstl1keep, %0" : : "Q"(*at));
  }

  // Guarded control stacks (FEAT_GCS). CHKFEAT clears the bit of a feature that is on; a CPU
  // without it executes a NOP.
  static bool has_shadow_stack() {
    register uint64_t features __asm__("x16") = 1;
    __asm__("hint 40" : "+r"(features)); // chkfeat x16
    return !features;
  }

  // The maintenance that CTR_EL0 requires between a store to text and its execution (Arm ARM,
  // B2.7.4).
  static uint64_t clean_text(const void *at, uint64_t bytes);
  static uint64_t forget_text(const void *at, uint64_t bytes);
  static void finish_text() { __asm__ volatile("dsb ish; isb" : : : "memory"); }
};

} // namespace nophook
