// The head of a graph says how many functions had entry events only; these have a line, and no duration.
// RUN: %traced_cc %s -o %t && %nophook record -o %t.data -- %t && %nophook report %t.data | FileCheck %s
// RUN: %nophook record -n 'sum*' -o %t.data -- %t && %nophook report %t.data | FileCheck %s --check-prefix=NONE --implicit-check-not=entry
#include <stdarg.h>
#define SEEN __attribute__((noinline))
SEEN static int sum(int n, ...) {
  va_list list;
  va_start(list, n);
  int result = va_arg(list, int) + va_arg(list, int);
  va_end(list);
  return result;
}
SEEN static int sum_of_three(int n, ...) {
  va_list list;
  va_start(list, n);
  int result = va_arg(list, int) + va_arg(list, int) + va_arg(list, int);
  va_end(list);
  return result;
}
SEEN static int whole(int n) { __asm__ volatile("" : "+r"(n)); return n; }
int main(void) { return sum(2, 1, whole(-1)) + sum_of_three(3, 1, 2, -3) + sum(2, 0, 0); }
// CHECK: # 2 functions with entry events only: no duration, see `nophook list`
// CHECK: {{^ [0-9]\)               \|  }}main() {
// CHECK-NEXT: us {{ *}}| whole();
// CHECK-NEXT: {{^ [0-9]\)               \|    }}sum();
// CHECK-NEXT: {{^ [0-9]\)               \|    }}sum_of_three();
// CHECK-NEXT: {{^ [0-9]\)               \|    }}sum();
// NONE: # tracer: function_graph
// NONE: whole();
