// Calls into libraries are traced on AArch64, too, through slots of the PLT and of the GOT alone, and with the types of
// the declarations. Results are right.
// RUN: %traced_cc -O1 -fno-builtin %s -o %t %linked && %trace_linked -p function_graph -s calls=1 -- %t | FileCheck %s --check-prefix=OUT
// RUN: %nophook report -O nofuncgraph-cpu -O nofuncgraph-duration %t.buf | FileCheck %s
// RUN: %traced_cc -O1 -fno-builtin -fno-plt %s -o %t %linked && %trace_linked -p function_graph -s calls=1 -- %t | FileCheck %s --check-prefix=OUT
// RUN: %nophook report -O nofuncgraph-cpu -O nofuncgraph-duration %t.buf | FileCheck %s
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
__attribute__((noinline)) static long work(const char *text) {
  char *copy = strdup(text);
  long sum = strtol(copy, NULL, 10) + labs(-3L);
  free(copy);
  return sum;
}
int main(void) {
  printf("sum %ld\n", work("17"));
  return 0;
}
// OUT: sum 20
// CHECK: main() {
// CHECK-NEXT: work() {
// CHECK-NEXT: strdup [libc.so.6]();
// CHECK-NEXT: strtol [libc.so.6]();
// CHECK-NEXT: labs [libc.so.6]();
// CHECK-NEXT: free [libc.so.6]();
// CHECK-NEXT: }
// CHECK-NEXT: printf [libc.so.6]();
