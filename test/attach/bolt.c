// A process whose program BOLT has rewritten is attached to: a line names the functions that BOLT has moved with the cause, and the others are traced.
// REQUIRES: ptrace, llvm22, bolt
// RUN: rm -rf %t && mkdir -p %t/run && %traced_cc -Wl,--emit-relocs %s -o %t/before
// RUN: llvm-bolt %t/before --skip-funcs=turn.* -o %t/moved > /dev/null 2>&1 && llvm-bolt %t/before --skip-funcs=turn.* --keep-nops -o %t/kept > /dev/null 2>&1
// RUN: env XDG_RUNTIME_DIR=%t/run %python %inputs/guarded.py %nophook %t/moved %t/run | FileCheck %s --check-prefixes=MOVED,CHECK
// RUN: env XDG_RUNTIME_DIR=%t/run %python %inputs/guarded.py %nophook %t/kept %t/run | FileCheck %s --check-prefixes=KEPT,CHECK
// MOVED: nophook: warning: {{.*}}/moved: 2 entries of the table lead into code that never runs: BOLT has moved the functions and not their table
// KEPT: nophook: warning: {{.*}}/kept: 2 functions have a site that is in no table, and cannot be traced (one is {{main|work}}); 2 entries of the table lead into code that never runs: BOLT
// CHECK-NOT: warning
// CHECK: traced: turn{{$}}
#include "turns.h"
__attribute__((noinline)) static int work(int n) { __asm__ volatile("" : "+r"(n)); return n + 1; }
int main(int count, char **arguments) {
  MUST(count == 2);
  open_turns(arguments[1]);
  for (int n = 0; !has_input_ended(); n = work(n))
    turn();
}
