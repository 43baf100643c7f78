// On a terminal a line tells how the recording goes, and is gone at the end; none is drawn over a program that has the terminal for itself, none where there is no terminal.
// RUN: %traced_cc %s -o %t
// RUN: %python %S/Inputs/live.py %nophook record -o %t.data -- %t | FileCheck %s --check-prefix=LINE
// RUN: %python %S/Inputs/live.py %nophook record -o %t.data -- %t raw | FileCheck %s --check-prefix=RAW
// RUN: %nophook record -o %t.data -- %t raw 2>&1 < /dev/null | FileCheck %s --check-prefix=NONE
// LINE: live line: {{[0-9]+}} events, {{[0-9.]+}} M/s, 0 lost, {{[0-9.]+}} MiB
// LINE-NEXT: erased
// LINE: nophook: {{[0-9]+}} events of 2 functions
// RAW-NOT: live line
// RAW: nophook: {{[0-9]+}} events of 2 functions
// NONE-NOT: M/s
// NONE: nophook: {{[0-9]+}} events of 2 functions
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
__attribute__((noinline)) static void work(int n) { asm volatile("" : "+r"(n)); }
int main(int count, char **arguments) {
  (void)arguments;
  if (count > 1)
    (void)!system("stty raw -echo 2> /dev/null");
  for (int i = 0; i < 100000; i++)
    work(i);
  if (count > 1)
    return usleep(700000), (void)!system("stty sane 2> /dev/null"), 0;
  return getchar() != '\n';
}
