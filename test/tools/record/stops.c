// Recording stops at the time, size or signal that was asked for, says so, and the program goes on, but for --kill; one that a signal ends is named with it.
// RUN: %traced_cc %s -o %t && rm -f %t.none
// RUN: %exits 5 %nophook record --duration 50ms -o %t.data -- %t %t.err 2> %t.err && FileCheck %s --check-prefix=TIME < %t.err
// RUN: %exits 5 %nophook record --duration 0.05s -o %t.data -- %t %t.err 2> %t.err && FileCheck %s --check-prefix=TIME < %t.err
// RUN: %exits 5 %nophook record --max-size 150K -o %t.data -- %t %t.err fill 2> %t.err && FileCheck %s --check-prefix=SIZE < %t.err
// RUN: sh -c 'test $(stat -c %%s %t.data) -le 170000' && %nophook report --top %t.data | FileCheck %s --check-prefix=DATA
// RUN: %exits 5 %nophook record -o %t.data -- %t %t.err 15 ignore 2> %t.err && FileCheck %s --check-prefixes=SIGNAL,TERM < %t.err
// RUN: %exits 5 %nophook record -o %t.data -- %t %t.err 1 ignore 2> %t.err && FileCheck %s --check-prefixes=SIGNAL,HUP < %t.err
// RUN: %exits 143 %nophook record -o %t.data -- %t %t.none 15 2>&1 | FileCheck %s --check-prefix=ENDED
// RUN: %exits 0 %nophook record --kill --duration 50ms -o %t.data -- %t %t.none 2>&1 | FileCheck %s --check-prefix=KILL
// RUN: %exits 2 %nophook record --max-size 5x -- %t 2>&1 | FileCheck %s --check-prefix=USAGE
// RUN: %exits 2 %nophook record --duration -1 -- %t 2>&1 | FileCheck %s --check-prefix=USAGE
// TIME: nophook: recording has stopped after 0.05 s (--duration), {{.*}} continues
// TIME: nophook: {{[0-9]+}} event{{s?}} of {{[0-2]}} function{{s?}}
// TIME: nophook: waiting until {{.*}} ends, to exit with its status (--kill ends it with the recording)
// KILL: nophook: recording has stopped after 0.05 s (--duration), {{.*}} is ended
// KILL-NOT: waiting
// SIZE: nophook: recording has stopped at 0.1 MiB (--max-size)
// TERM: nophook: recording has stopped on SIGTERM, {{.*}} continues
// HUP: nophook: recording has stopped on SIGHUP, {{.*}} continues
// SIGNAL-NEXT: events of 2 functions
// ENDED: nophook: {{.*}} was ended by SIGTERM
// ENDED-NEXT: events of 2 functions
// USAGE: nophook: record: --
// DATA: work
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
__attribute__((noinline)) static void work(int n) { asm volatile("" : "+r"(n)); }
// Waits until the recorder has written that it has stopped.
static int has_stopped(const char *errors) {
  char command[4200] = "grep -qs 'has stopped' ";
  return system(strcat(command, errors)) == 0;
}
int main(int count, char **arguments) {
  int number = count > 2 ? atoi(arguments[2]) : 0;
  for (int i = 0; i < (count > 2 && !number ? 100000 : 100); i++)
    work(i);
  if (count > 3)
    signal(number, SIG_IGN);
  if (number)
    kill(getppid(), number);
  for (int i = 0; i < 1200 && !has_stopped(arguments[1]); i++)
    usleep(50000);
  return 5;
}
