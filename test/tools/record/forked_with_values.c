// With values, function_graph is a callback, whose frames have no marks: a fork child's events begin at depth 0, whatever
// the program has on its stack.
// RUN: %traced_cc -O1 %s -o %t && %nophook record --args -o %t.data -- %t && %nophook report --json %t.data | FileCheck %s
// CHECK-NOT: "inherited"
// CHECK: "function":"in_child",{{.*}}"depth":0,
// CHECK-NOT: "inherited"
#include "../../support/program.h"
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>
NOINLINE static void in_child(int number) { KEEP(number); }
NOINLINE static void spawn(int number) {
  uint64_t words[3]; // as a frame's mark, and the signature of the call with the id 1
  words[0] = (uint64_t)(words + 2);
  words[1] = (uint64_t)1 << 39;
  KEEP(words);
  if (fork() == 0) {
    in_child(number);
    _exit(0);
  }
  wait(NULL);
  KEEP(words);
}
int main(void) { spawn(1); }
