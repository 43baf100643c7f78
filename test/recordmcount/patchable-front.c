// With NOPs in front of a function (N,M) the site is behind its label, where callers run.
// REQUIRES: gcc
// RUN: %gcc -fpatchable-function-entry=8,3 -fcf-protection=full -c %s -o %t.o && %recordmcount --list %t.o | FileCheck %s
// RUN: %objdump -d %t.o | FileCheck %s --check-prefix=CODE
// CHECK: .text+0x7 f
// CODE: <f>:
// CODE-NEXT: f3 0f 1e fa endbr64
// CODE-NEXT: 0f 1f 44 00 00 nopl
int f(int a) { return a + 1; }
