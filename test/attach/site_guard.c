// A process some of whose functions have a site that is in no table is attached to: a line names them with the cause, and the others are traced.
// REQUIRES: ptrace, llvm22
// RUN: rm -rf %t && mkdir -p %t/run && %traced_cc -Wno-unused-command-line-argument -DLOST -fexperimental-sanitize-metadata=all -c %s -o %t/lost.o
// RUN: %traced_cc %s %t/lost.o -o %t/guarded && env XDG_RUNTIME_DIR=%t/run %python %inputs/guarded.py %nophook %t/guarded %t/run | FileCheck %s
// CHECK: nophook: warning: {{.*}}/guarded: 1 function has a site that is in no table, and cannot be traced (lost): -fexperimental-sanitize-metadata takes the place of the records: compile without it
// CHECK-NOT: warning
// CHECK: traced: turn
#ifdef LOST
__attribute__((noinline)) int lost(int n) { __asm__ volatile("" : "+r"(n)); return n + 1; }
#else
#include "turns.h"
int lost(int n);
int main(int count, char **arguments) {
  MUST(count == 2);
  open_turns(arguments[1]);
  for (int n = 0; !has_input_ended(); n = lost(n))
    turn();
}
#endif
