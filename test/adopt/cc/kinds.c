// Every kind of linked file gets its tables, once, also by way of `-r`.
// RUN: %cc -O1 -fPIE -c %s -o %t.o
// RUN: %cc -no-pie %t.o -o %t.nopie && %nophook list --summary %t.nopie | FileCheck %s
// RUN: %cc -static %t.o -o %t.static && %nophook list --summary %t.static | FileCheck %s
// RUN: %cc -static-pie %t.o -o %t.staticpie && %nophook list --summary %t.staticpie | FileCheck %s
// RUN: %cc -shared -fPIC %s -o %t.so && %nophook list --summary %t.so | FileCheck %s
// RUN: %cc -r %t.o -o %t.r.o && %cc %t.r.o -o %t.r && %nophook list --summary %t.r | FileCheck %s
// RUN: %cc -nostdlib -no-pie -Wl,-r %t.o -o %t.wlr.o && %cc %t.wlr.o -o %t.wlr && %nophook list --summary %t.wlr | FileCheck %s
// CHECK: 2 functions: 2 call-through
__attribute__((noinline)) int work(int x) { __asm__ volatile("" : "+r"(x)); return x * 3; }
int main(void) { return work(0) != 0; }
