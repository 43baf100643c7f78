// exec begins another buffer: the same process, two programs, each with its own events.
// RUN: %traced_cc -O1 %s -o %t
// RUN: %trace -- %t first > %t.out
// RUN: %show --count %t.buf | FileCheck %s
// RUN: %show --python 'buffers[0].pid == buffers[1].pid and len(buffers) == 2' %t.buf
#include "program.h"
#include <string.h>
#include <unistd.h>

NOINLINE static void work(int n) { KEEP(n); }
int main(int count, char **arguments) {
  int first = count == 2;
  for (int i = 0; i < (first ? 7 : 5); i++)
    work(i);
  if (first)
    execl("/proc/self/exe", "second", (char *)NULL);
  return count != 1;
  (void)arguments;
}
// CHECK: process exec
// CHECK: main: 1 entry
// CHECK-NEXT: work: 7 entry, 7 exit
// CHECK: process exe
// CHECK: main: 1 entry, 1 exit
// CHECK-NEXT: work: 5 entry, 5 exit
