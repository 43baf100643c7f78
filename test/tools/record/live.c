// On a terminal a status line shows progress, and is gone at the end; none is drawn over a program that has the terminal for itself, none where there is no terminal.
// RUN: %traced_cc %s -o %t
// RUN: %python %S/Inputs/live.py lines %nophook record -o %t.data -- %t | FileCheck %s --check-prefix=LINE
// RUN: %python %S/Inputs/live.py raw %nophook record -o %t.data -- %t by-itself | FileCheck %s --check-prefix=RAW
// RUN: %nophook record -o %t.data -- %t by-itself 2>&1 < /dev/null | FileCheck %s --check-prefix=NONE
// LINE: live line: {{[0-9]+}} events, {{[0-9.]+}} M/s, 0 lost, {{[0-9.]+}} MiB
// LINE-NEXT: erased
// LINE: nophook: {{[0-9]+}} events of 2 functions
// RAW-NOT: live line
// RAW: nophook: {{[0-9]+}} events of 2 functions
// NONE-NOT: M/s
// NONE: nophook: {{[0-9]+}} events of 2 functions
#include <stdio.h>
#include <unistd.h>
__attribute__((noinline)) static void work(int n) { asm volatile("" : "+r"(n)); }
int main(int count, char **arguments) {
  (void)arguments;
  for (int i = 0; i < 100000; i++)
    work(i);
  if (count > 1)
    return usleep(700000);
  return getchar() != '\n';
}
