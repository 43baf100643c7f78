// nophook cc compiles and links with every function traceable, and the program runs as ever.
// RUN: %cc -O1 -c %s -o %t.o
// RUN: %cc %t.o -o %t && %t
// RUN: %nophook list %t 2>&1 | FileCheck %s
// RUN: %nophook record -p function_graph -o %t.data -- %t 2>&1 | FileCheck %s --check-prefix=RECORD
// RUN: %readelf -d %t | FileCheck %s --check-prefix=PACKED
// PACKED: (RELRSZ)
// CHECK: call-through work
// CHECK: call-through main
// RECORD: 4 events of 2 functions in 1 thread, 0 events lost
__attribute__((noinline)) int work(int x) { __asm__ volatile("" : "+r"(x)); return x * 3; }
int main(void) { return work(0) != 0; }
