// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The system call instruction of x86-64: number in rax, arguments in rdi rsi rdx r10 r8 r9;
// the kernel clobbers rcx and r11 (System V ABI, A.2.1).

#pragma once

namespace nophook {

inline long raw_syscall(long number, long a, long b, long c, long d, long e, long f) {
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

} // namespace nophook
