// A daemon has no buffer yet when its parent ends: --wait-children records all of it; without that it is named as still running.
// RUN: %traced_cc %s -o %t && rm -f %t.err
// RUN: %nophook record --wait-children -o %t.data -- %t 2>&1 | FileCheck %s
// RUN: %nophook report --top %t.data | FileCheck %s --check-prefix=TOP
// RUN: %nophook record -o %t.data -- %t %t.err 2> %t.err && FileCheck %s --check-prefix=LEFT < %t.err
// CHECK-NOT: still running
// CHECK: nophook: 1002 events of 2 functions in 2 threads, 0 events lost
// TOP: 500 work
// LEFT: has ended, 1 process is still running: recorded up to here (--wait-children waits)
// LEFT: nophook: 2 events of 1 function in 1 thread, 0 events lost
#include <stdio.h>
#include <string.h>
#include <unistd.h>
__attribute__((noinline)) static void work(int n) { asm volatile("" : "+r"(n)); }
__attribute__((no_instrument_function)) static int has_said_it(const char *errors) {
  char text[4096] = "";
  FILE *file = fopen(errors, "r");
  if (file) {
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
  }
  return strstr(text, "events lost") != 0;
}
int main(int count, char **arguments) {
  pid_t parent = getpid();
  if (fork() != 0)
    return 0;
  setsid();
  while (getppid() == parent)
    usleep(1000);
  for (int i = 0; i < 6000 && count > 1 && !has_said_it(arguments[1]); i++)
    usleep(10000);
  for (int i = 0; i < 500; i++)
    work(i);
  _exit(0);
}
