// gcc in place of clang: every function can be called through, compiled apart and in one step.
// RUN: %cc -O2 -c %s -o %t.o && %cc %t.o -o %t && %t
// RUN: %nophook list %t 2>&1 | FileCheck %s
// RUN: %nophook record -p function_graph -o %t.data -- %t 2>&1 | FileCheck %s --check-prefix=RECORD
// RUN: %cc -O2 %s -o %t.once && %t.once && %nophook list %t.once 2>&1 | FileCheck %s
// RUN: %cc -O2 -pipe -static %s -o %t.static && %t.static && %nophook list %t.static 2>&1 | FileCheck %s
// CHECK-DAG: call-through work
// CHECK-DAG: call-through main
// CHECK: 2 functions: 2 call-through, 0 call-through with a copy of stack arguments, 0 entry only
// RECORD: 4 events of 2 functions in 1 thread, 0 events lost
__attribute__((noinline)) int work(int x) { __asm__ volatile("" : "+r"(x)); return x * 3; }
int main(void) { return work(0) != 0; }
