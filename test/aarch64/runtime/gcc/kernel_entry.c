// A function with the kernel's entry, `mov x9, x30` in front of the site, is called through; a second NOP stays.
// RUN: %traced_cc -O1 %s -o %t && %alike --must work --must main -- %t
// RUN: %show --count %t.buf.function_graph | FileCheck %s
// CHECK: main: 1 entry, 1 exit
// CHECK: work: 1 entry, 1 exit
#include "program.h"

__asm__(".text\n .globl work\n .type work, %function\n work: .cfi_startproc\n mov x9, x30\n 1: nop\n nop\n"
        "stp x29, x30, [sp, #-16]!\n .cfi_def_cfa_offset 16\n .cfi_offset 29, -16\n .cfi_offset 30, -8\n"
        "ldr x1, [sp, #16]\n add x0, x0, x1\n bl twice\n"
        "ldp x29, x30, [sp], #16\n .cfi_def_cfa_offset 0\n .cfi_restore 29\n .cfi_restore 30\n ret\n .cfi_endproc\n .size work, . - work\n"
        ".section __patchable_function_entries, \"awo\", %progbits, .text\n .quad 1b\n .text\n");
long work(long, long, long, long, long, long, long, long, long ninth);

NOINLINE long twice(long n) { return n * 2; }

int main(void) {
  EXPECT_EQ(work(1, 2, 3, 4, 5, 6, 7, 8, 20), 42);
  return failures;
}
