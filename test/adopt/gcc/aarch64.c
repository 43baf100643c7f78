// A cross gcc is known by its name: its objects' sites are traceable, and it links with the target's module object.
// REQUIRES: aarch64-cross, qemu-aarch64
// RUN: env NOPHOOK_CC=aarch64-linux-gnu-gcc %cc -O1 -c %s -o %t.o
// RUN: env NOPHOOK_CC=aarch64-linux-gnu-gcc %cc %t.o -o %t && %aarch64-run %t && %nophook list %t | FileCheck %s
// RUN: env NOPHOOK_CC=aarch64-linux-gnu-gcc %cc -O1 -mbranch-protection=standard %s -o %t.bti && %aarch64-run %t.bti && %nophook list %t.bti | FileCheck %s
// RUN: env NOPHOOK_CXX=aarch64-linux-gnu-g++ %cxx -O1 -x c++ %s -o %t.cxx && %aarch64-run %t.cxx
// CHECK-DAG: call-through {{ *}}work
// CHECK-DAG: call-through {{ *}}main
__attribute__((noinline)) int work(int x) { __asm__ volatile("" : "+r"(x)); return x * 3; }
int main(void) { return work(0) != 0; }
