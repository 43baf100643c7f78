// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All registers of a thread, set before a call and taken after it, on both of its sides.
//
//   run_registers   loads `caller_set` into every register, calls `registers_callee`, and
//                   stores the registers behind the call in `caller_found`
//   bodies          (REGISTERS_FUNCTION below, written in assembly, with a site) store the
//                   registers in `callee_found`, load `callee_set`, and return
//
// Vector, mask, x87 and MXCSR state is moved by xsave, so it is whatever this CPU has.

#pragma once

#include "program.h"

#include <cpuid.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct Registers {
  uint64_t rax, rbx, rcx, rdx, rsi, rdi, rbp, r8, r9, r10, r11, r12, r13, r14, r15;
  uint64_t rsp, flags, pad[7];
  uint8_t xsave[4096] __attribute__((aligned(64)));
};
#define REGISTERS_RSP 120
#define REGISTERS_FLAGS 128
#define REGISTERS_XSAVE 192
_Static_assert(offsetof(struct Registers, rsp) == REGISTERS_RSP, "");
_Static_assert(offsetof(struct Registers, flags) == REGISTERS_FLAGS, "");
_Static_assert(offsetof(struct Registers, xsave) == REGISTERS_XSAVE, "");

struct Registers caller_set, caller_found, callee_set, callee_found, registers_before;
void *registers_callee;
uint64_t registers_flags = 2; // 0x102 to step through the call
uint32_t registers_mask;      // components that xsave moves
void run_registers(void);

__asm__(
    ".macro REGISTERS_STORE where\n"
    "        mov     %rax, \\where(%rip)\n"
    "        mov     %rbx, \\where+8(%rip)\n"
    "        mov     %rcx, \\where+16(%rip)\n"
    "        mov     %rdx, \\where+24(%rip)\n"
    "        mov     %rsi, \\where+32(%rip)\n"
    "        mov     %rdi, \\where+40(%rip)\n"
    "        mov     %rbp, \\where+48(%rip)\n"
    "        mov     %r8, \\where+56(%rip)\n"
    "        mov     %r9, \\where+64(%rip)\n"
    "        mov     %r10, \\where+72(%rip)\n"
    "        mov     %r11, \\where+80(%rip)\n"
    "        mov     %r12, \\where+88(%rip)\n"
    "        mov     %r13, \\where+96(%rip)\n"
    "        mov     %r14, \\where+104(%rip)\n"
    "        mov     %r15, \\where+112(%rip)\n"
    "        mov     %rsp, \\where+120(%rip)\n"
    "        pushfq\n"
    "        popq    \\where+128(%rip)\n"
    "        mov     registers_mask(%rip), %eax\n"
    "        xor     %edx, %edx\n"
    "        xsave64 \\where+192(%rip)\n"
    ".endm\n"
    // Loads all registers but rsp.
    ".macro REGISTERS_LOAD where\n"
    "        mov     registers_mask(%rip), %eax\n"
    "        xor     %edx, %edx\n"
    "        xrstor64 \\where+192(%rip)\n"
    "        mov     \\where(%rip), %rax\n"
    "        mov     \\where+8(%rip), %rbx\n"
    "        mov     \\where+16(%rip), %rcx\n"
    "        mov     \\where+24(%rip), %rdx\n"
    "        mov     \\where+32(%rip), %rsi\n"
    "        mov     \\where+40(%rip), %rdi\n"
    "        mov     \\where+48(%rip), %rbp\n"
    "        mov     \\where+56(%rip), %r8\n"
    "        mov     \\where+64(%rip), %r9\n"
    "        mov     \\where+72(%rip), %r10\n"
    "        mov     \\where+80(%rip), %r11\n"
    "        mov     \\where+88(%rip), %r12\n"
    "        mov     \\where+96(%rip), %r13\n"
    "        mov     \\where+104(%rip), %r14\n"
    "        mov     \\where+112(%rip), %r15\n"
    ".endm\n"
    "        .text\n"
    "        .globl  run_registers\n"
    "registers_text_begin:\n"
    "run_registers:\n"
    "        REGISTERS_STORE registers_before\n"
    "        sub     $200, %rsp\n" // stack arguments of the callee are in here
    "        REGISTERS_LOAD caller_set\n"
    "        pushq   registers_flags(%rip)\n"
    "        popfq\n"
    "        call    *registers_callee(%rip)\n"
    "        REGISTERS_STORE caller_found\n"
    "        pushq   $2\n"
    "        popfq\n"
    "        add     $200, %rsp\n"
    "        REGISTERS_LOAD registers_before\n"
    "        ret\n"
    // A site as the compiler plugin makes it, with the descriptor that the test wants.
    ".macro REGISTERS_SITE name, how, bytes\n"
    "        .text\n"
    "        .p2align 4\n"
    "        .globl  \\name\n"
    "        .type   \\name, @function\n"
    "\\name:\n"
    "        .byte   0x0f, 0x1f, 0x44, 0x00, 0x08\n"
    "        .pushsection __mcount_loc, \"aw\", @progbits\n"
    "        .quad   \\name\n"
    "        .popsection\n"
    "        .pushsection __ftrace_args, \"aw\", @progbits\n"
    "        .p2align 2\n"
    "        .long   \\name - ., .Lend_\\name - \\name, 0x20000 + \\how + \\bytes * 8, 0\n"
    "        .popsection\n"
    ".endm\n"
    ".macro REGISTERS_END name\n"
    ".Lend_\\name:\n"
    "        .size   \\name, . - \\name\n"
    ".endm\n");

#define REGISTERS_FUNCTION(name, how, bytes)                                                       \
  void name(void);                                                                                 \
  __asm__("REGISTERS_SITE " #name ", " #how ", " #bytes "\n"                                       \
          "        REGISTERS_STORE callee_found\n"                                                 \
          "        call registers_in_callee\n"                                                     \
          "        REGISTERS_LOAD callee_set\n"                                                    \
          "        mov callee_found+48(%rip), %rbp\n" /* every callee preserves rbp */              \
          "        ret\n"                                                                          \
          "REGISTERS_END " #name "\n")

// Fills every register with random values; none of them faults.
UNTRACED static void registers_fill(struct Registers *r, uint64_t rbp) {
  for (uint64_t *p = &r->rax; p <= &r->r15; p++)
    *p = (uint64_t)random() << 33 ^ (uint64_t)random();
  r->rbp = rbp;
  for (unsigned i = 0; i < sizeof r->xsave; i++)
    r->xsave[i] = (uint8_t)random();
  memset(r->xsave + 512, 0, 64);
  memcpy(r->xsave + 512, &registers_mask, 4); // XSTATE_BV: nothing is in its initial state
  static const uint8_t kLegacy[32] = {[0] = 0x7f, [1] = 0x0f, [2] = 0, [3] = 0x18, [4] = 0xff};
  memcpy(r->xsave, kLegacy, 32); // rounding up, top of stack 3, all registers valid
  uint32_t mxcsr = 0x1f80 | (uint32_t)(random() & 3) << 13 | 0x8000, all = 0xffff;
  memcpy(r->xsave + 24, &mxcsr, 4);
  memcpy(r->xsave + 28, &all, 4);
  for (int i = 0; i < 8; i++)
    memset(r->xsave + 32 + 16 * i + 10, 0, 6);
}

UNTRACED static void registers_part(const char *what, const struct Registers *is,
                                    const struct Registers *wanted, size_t at, size_t bytes) {
  if (memcmp((const char *)is + at, (const char *)wanted + at, bytes) != 0 && failures++ < 20)
    printf("%s: bytes %zu to %zu of struct Registers have changed\n", what, at, at + bytes);
}

// Compares all registers, and the flags that a call keeps: not the arithmetic ones, nor the trap
// flag.
UNTRACED static void registers_compare(const char *what, const struct Registers *is,
                                       const struct Registers *wanted) {
  for (size_t at = 0; at < REGISTERS_RSP; at += 8)
    registers_part(what, is, wanted, at, 8);
  EXPECT_EQ(is->flags & 0x40600, 0x200);
  registers_part(what, is, wanted, REGISTERS_XSAVE, 28);
  for (size_t i = 0; i < 24; i++)
    registers_part(what, is, wanted, REGISTERS_XSAVE + 32 + 16 * i, i < 8 ? 10 : 16);
  for (unsigned component = 2; component < 20; component++) {
    unsigned size, offset, c, d;
    if (registers_mask >> component & 1) {
      __cpuid_count(0xd, component, size, offset, c, d);
      registers_part(what, is, wanted, REGISTERS_XSAVE + offset, size);
    }
  }
}

// Selects x87, SSE, AVX, and the three components of AVX-512; not protection keys, nor components
// that need a permission.
UNTRACED static void registers_start(void) {
  unsigned a, b, c, d;
  __cpuid_count(0xd, 0, a, b, c, d);
  uint32_t low, high;
  __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  registers_mask = low & 0xe7;
  srandom(1);
}
