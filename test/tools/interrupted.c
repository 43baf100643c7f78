// SIGINT ends the recording and keeps the data, and a program that lives on is unharmed.
// RUN: %traced_cc %s -o %t
// By kill, for the recorder alone: at once; the program ends by itself, its status is passed on.
// RUN: %exits 5 %python %inputs/interrupt.py kill %nophook record -o %t.data -- %t ignore 2>&1 | FileCheck %s --check-prefix=STOPPED
// RUN: %nophook report --top %t.data | FileCheck %s --check-prefix=DATA
// Ctrl-C on a terminal, for both: a program that ignores it goes on all the same.
// RUN: %exits 5 %python %inputs/interrupt.py terminal %nophook record -o %t.data -- %t ignore 2>&1 | FileCheck %s --check-prefix=STOPPED
// RUN: %nophook report --top %t.data | FileCheck %s --check-prefix=DATA
// A program that does not ignore it ends, and so does the recording.
// RUN: %exits 130 %python %inputs/interrupt.py terminal %nophook record -o %t.data -- %t 2>&1 | FileCheck %s --check-prefix=ENDED
// RUN: %nophook report --top %t.data | FileCheck %s --check-prefix=DATA
// STOPPED: nophook: recording has stopped on SIGINT, {{.*}} continues
// STOPPED: nophook: {{[1-9][0-9]*}} events of 2 functions in 1 thread, 0 events lost
// STOPPED: the program has ended
// ENDED: nophook: {{.*}} was ended by SIGINT
// ENDED: nophook: {{[1-9][0-9]*}} events of 2 functions in 1 thread, 0 events lost
// DATA: work
#include <poll.h>
#include <signal.h>
#include <stdio.h>
__attribute__((noinline)) static void work(int n) { asm volatile("" : "+r"(n)); }
int main(int count, char **arguments) {
  (void)arguments;
  if (count > 1)
    signal(SIGINT, SIG_IGN);
  work(0);
  puts("ready"), fflush(stdout);
  struct pollfd input = {0, POLLIN, 0}; // a line comes when the recorder has reported what it has
  for (int i = 0; i < 12000 && poll(&input, count > 1, 10) == 0; i++)
    work(i);
  puts("the program has ended");
  return 5;
}
