// The function tracer's lines are the kernel's: task, CPU, time, function and caller.
// RUN: %traced_cc %s -o %t
// RUN: %nophook record -p function -o %t.data -- %t
// RUN: %nophook report %t.data | FileCheck %s --match-full-lines --strict-whitespace
__attribute__((noinline)) int leaf(int n) { asm volatile("" : "+r"(n)); return n; }
__attribute__((noinline)) int outer(int n) { return leaf(n) + 1; }
int main(int count, char **arguments) { (void)arguments; return outer(count) - 2; }
//      CHECK:# tracer: function
// CHECK-NEXT:#
// CHECK-NEXT:# entries-in-buffer/entries-written: 3/3   #P:{{[0-9]+}}
// CHECK-NEXT:#
// CHECK-NEXT:#           TASK-TID     CPU#  |||||  TIMESTAMP  FUNCTION
// CHECK-NEXT:#              | |         |   |||||     |         |
// CHECK-NEXT:  function.c.tmp-{{[0-9]+ +}}[{{[0-9][0-9][0-9]}}] ..... {{ *[0-9]+\.[0-9][0-9][0-9][0-9][0-9][0-9]}}: main <-{{.+}}
// CHECK-NEXT:  function.c.tmp-{{[0-9]+ +}}[{{[0-9][0-9][0-9]}}] ..... {{ *[0-9]+\.[0-9][0-9][0-9][0-9][0-9][0-9]}}: outer <-main
// CHECK-NEXT:  function.c.tmp-{{[0-9]+ +}}[{{[0-9][0-9][0-9]}}] ..... {{ *[0-9]+\.[0-9][0-9][0-9][0-9][0-9][0-9]}}: leaf <-outer
//  CHECK-NOT:{{.}}
