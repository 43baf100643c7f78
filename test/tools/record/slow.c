// The line on a terminal counts the events that are still in the buffer: of a slow program, and of a flight recorder.
// RUN: %traced_cc %s -o %t
// RUN: %python %S/Inputs/live.py 7 %nophook record -o %t.data -- %t | FileCheck %s
// RUN: %python %S/Inputs/live.py 7 %nophook record --overwrite -o %t.data -- %t | FileCheck %s
// CHECK: live line: 7 events, {{[0-9.]+}} M/s, 0 lost, {{[0-9.]+}} MiB
// CHECK: nophook: 8 events of 2 functions
#include <stdio.h>
__attribute__((noinline)) static void work(int n) { asm volatile("" : "+r"(n)); }
int main(void) {
  for (int i = 0; i < 3; i++)
    work(i);
  return getchar() != '\n';
}
