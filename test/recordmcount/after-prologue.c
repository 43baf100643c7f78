// -pg without -mfentry calls behind the prologue: the site is there, in the function's middle.
// REQUIRES: gcc
// RUN: %gcc -fno-pic -pg -c %s -o %t.o && %recordmcount --list --verify %t.o | FileCheck %s
// RUN: %objdump -d %t.o | FileCheck %s --check-prefix=CODE
// CHECK: .text+0x4 f
// CODE: <f>:
// CODE-NEXT: pushq %rbp
// CODE-NEXT: movq %rsp, %rbp
// CODE-NEXT: 0f 1f 44 00 00 nopl
int f(int a) { return a + 1; }
