// The comparison of the corpus can fail: a program that does not say what it passes is found.
// REQUIRES: ptrace, lld
// RUN: %describe_cc -O0 %s -o %t && not %compare %t | FileCheck %s
// CHECK: truth: f1(a=2) = 3
// CHECK-NEXT: decoded: f1(a=1) = 3
// CHECK-NEXT: 1 calls, 1 differ
#include <stdio.h>
int f1(int a) { return a + 2; }
int main(void) { printf("f1(a=2) = 3\n"); f1(1); }
