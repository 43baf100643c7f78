// AddressSanitizer's report of a traced program names every caller, as of an untraced one.
// REQUIRES: asan
// RUN: %traced_cc -O1 -fsanitize=address -fno-omit-frame-pointer -DFAULT=0 %s -o %t %linked
// RUN: %t && %trace_linked -k 4096 -- %t
// RUN: %traced_cc -O1 -fsanitize=address -fno-omit-frame-pointer -DFAULT=1 %s -o %t %linked
// RUN: not %trace_linked -k 4096 -p '' -- %t 2>&1 | FileCheck %s
// RUN: not %trace_linked -k 4096 -p function -- %t 2>&1 | FileCheck %s
// RUN: not %trace_linked -k 4096 -p function_graph -- %t 2>&1 | FileCheck %s
#include "program.h"
#include <stdlib.h>

NOINLINE int reader(volatile int *at) { return *at; }
NOINLINE int middle(int *at, long b, long c, long d, long e, long f, long on_stack) {
  return reader(at) + (int)(b + c + d + e + f + on_stack);
}
NOINLINE int outer(int *at) {
  int result = middle(at, 1, 2, 3, 4, 5, 6);
  KEEP(&result);
  return result;
}
int main(void) {
  int *at = calloc(1, sizeof *at);
  if (FAULT)
    free(at);
  int result = outer(at) != 21;
  if (!FAULT)
    free(at);
  return result;
}
// CHECK: heap-use-after-free
// CHECK: #0 {{.*}} in reader
// CHECK: in middle
// CHECK: in outer
// CHECK: in main
// CHECK: freed by thread
