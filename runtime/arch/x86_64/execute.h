// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The x86-64 instructions that the runtime executes and C++ has no words for.

#pragma once

#include "arch/x86_64/counter.h"

#include <stdint.h>

namespace nophook {

struct X86_64Execute {
  // Number in rax, arguments in rdi rsi rdx r10 r8 r9; the kernel clobbers rcx and r11 (System V
  // ABI, A.2.1).
  static long raw_syscall(long number, long a, long b, long c, long d, long e, long f) {
    register long r10 __asm__("r10") = d;
    register long r8 __asm__("r8") = e;
    register long r9 __asm__("r9") = f;
    long result;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
    return result;
  }

  static uint64_t read_counter() {
    uint32_t low, high;
    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
    return (uint64_t)high << 32 | low;
  }
  static bool is_counter_steady() { return is_invariant(read_counter_words()); }
  // CPUID's leaf 0x15 is empty on many CPUs and in most virtual machines: readers measure it.
  static uint64_t counter_hz() { return 0; }

  static uint64_t read_pmc(uint32_t number) {
    uint32_t low, high;
    __asm__ volatile("rdpmc" : "=a"(low), "=d"(high) : "c"(number));
    return (uint64_t)high << 32 | low;
  }

  // Exchanges without `lock`, which costs five times as much.
  static bool exchange_own(uint64_t *at, uint64_t expected, uint64_t wanted) {
    bool done;
    __asm__ volatile("cmpxchg %3, %0"
                     : "+m"(*at), "=@ccz"(done), "+a"(expected)
                     : "r"(wanted)
                     : "memory");
    return done;
  }
  static bool add_own(uint64_t *at, uint64_t number) {
    bool carry;
    __asm__ volatile("addq %2, %0" : "+m"(*at), "=@ccc"(carry) : "er"(number));
    return carry;
  }

  // Prefetches for a store. A CPU without that instruction executes a NOP.
  static void prefetch_for_write(const uint8_t *at) {
    __asm__ volatile("prefetchw %0" : : "m"(*at));
  }

  // These do nothing: instruction fetches see stores (Intel SDM vol. 3, 11.6).
  static uint64_t clean_text(const void *, uint64_t) { return 0; }
  static uint64_t forget_text(const void *, uint64_t) { return 0; }
  static void finish_text() {}

  // CET's shadow stack. rdsspq changes nothing if there is none.
  static bool has_shadow_stack() {
    uint64_t pointer = 0;
    __asm__("rdsspq %0" : "+r"(pointer));
    return pointer;
  }
};

} // namespace nophook
