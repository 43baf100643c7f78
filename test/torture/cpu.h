// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The facts about the CPU that the torture needs: its sites, what a callback may spoil, the
// trampoline of a direct call, the system call that it makes in the runtime's place, and a
// restartable sequence.

#pragma once

#include <cstring>
#include <sys/syscall.h>
#include <ucontext.h>

#ifdef __aarch64__
// clang has no such attribute there. The code of these callbacks takes no vector registers.
#define GENERAL_REGS
#define SPOIL_VECTORS                                                                              \
  __asm__ volatile("movi v0.2d, #0\n movi v1.2d, #0\n movi v7.2d, #0" ::: "v0", "v1", "v7")
#define DIRECT_TRAMPOLINE "mov x10, x30\n mov x30, x9\n ret x10\n"
#define MEMBARRIER "mov x8, #283\n svc #0\n"

constexpr unsigned long kSiteBytes = 4;
inline bool is_nop(unsigned long site) {
  return std::memcmp(reinterpret_cast<const void *>(site), "\x1f\x20\x03\xd5", kSiteBytes) == 0;
}
inline void make_again(ucontext_t *context, long (*call)(long, long)) {
  auto *regs = context->uc_mcontext.regs;
  regs[0] = (unsigned long long)call((long)regs[0], (long)regs[1]);
}
static_assert(SYS_membarrier == 283);
constexpr bool kHasSequences = false; // qemu-user has none
inline void add_on_cpu(char *, void *) {}
#else
// Callbacks with FTRACE_OPS_FL_GENERAL_REGS: what they interrupt has its vector registers in use.
#define GENERAL_REGS __attribute__((target("general-regs-only")))
#define SPOIL_VECTORS                                                                              \
  __asm__ volatile("xorps %%xmm0, %%xmm0\n movaps %%xmm0, %%xmm1" ::: "xmm0", "xmm1")
#define DIRECT_TRAMPOLINE "ret\n"
#define MEMBARRIER "mov $324, %eax\n syscall\n"

constexpr unsigned long kSiteBytes = 5;
inline bool is_nop(unsigned long site) {
  const auto *bytes = reinterpret_cast<const unsigned char *>(site);
  return std::memcmp(bytes, "\x0f\x1f\x44\x00", 4) == 0 && (bytes[4] == 8 || bytes[4] == 0);
}
inline void make_again(ucontext_t *context, long (*call)(long, long)) {
  auto *regs = context->uc_mcontext.gregs;
  regs[REG_RAX] = call((long)regs[REG_RDI], (long)regs[REG_RSI]);
}
static_assert(SYS_membarrier == 324);
constexpr bool kHasSequences = true;
// Adds 1 to the count of this CPU, of 64 bytes each, in a restartable sequence that takes some
// time.
inline void add_on_cpu(char *area, void *counts) {
  __asm__ volatile(".pushsection __rseq_cs, \"aw\"\n .balign 32\n"
                   "7: .long 0, 0\n .quad 1f, 2f - 1f, 4f\n .popsection\n"
                   "3: lea 7b(%%rip), %%rax\n mov %%rax, 8(%0)\n"
                   "1: mov 4(%0), %%eax\n shl $6, %%rax\n mov (%1, %%rax), %%rdx\n mov $30, %%ecx\n"
                   "8: dec %%ecx\n jnz 8b\n add $1, %%rdx\n mov %%rdx, (%1, %%rax)\n"
                   "2: jmp 6f\n"
                   ".byte 0x0f, 0xb9, 0x3d\n .long 0x53053053\n 4: jmp 3b\n"
                   "6:\n" ::"r"(area),
                   "r"(counts)
                   : "rax", "rcx", "rdx", "memory", "cc");
}
#endif
