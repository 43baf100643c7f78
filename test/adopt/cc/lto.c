// Under LTO with lld no function is lost and full LTO has descriptors, even if only the compile step says -flto.
// REQUIRES: lld
// RUN: %cc -O1 -flto -c %s -o %t.full.o && %cc -fuse-ld=lld %t.full.o -o %t.full && %t.full
// RUN: %nophook list --summary %t.full | FileCheck %s
// RUN: %cc -O1 -flto=thin -fuse-ld=lld %s -o %t.thin && %t.thin
// RUN: %nophook list --summary %t.thin | FileCheck %s --check-prefix=THIN
// CHECK: 2 functions: 2 call-through
// THIN: 2 functions:
__attribute__((noinline)) int work(int x) { __asm__ volatile("" : "+r"(x)); return x * 3; }
int main(void) { return work(0) != 0; }
