// Commands of set_ftrace_filter: traceoff and traceon with counts, whether the function is traced or not; `!` takes one away.
// RUN: %traced_cc -O1 %s -o %t
// RUN: %trace -p function -s 'set_ftrace_filter=work,off:traceoff,on:traceon' -- %t && %show --count %t.buf | FileCheck --check-prefix=ALL %s
// RUN: %trace -p function_graph -s 'set_ftrace_filter=work,off:traceoff:1,on:traceon' -- %t && %show --count %t.buf | FileCheck --check-prefix=ONCE %s
// RUN: %trace -p function -s 'set_ftrace_filter=work,o*:traceoff,!o*:traceoff' -- %t && %show --count %t.buf | FileCheck --check-prefix=NONE %s
// RUN: %trace -p function -s 'set_ftrace_filter=o*:traceoff:0,work' -- %t && %show --count %t.buf | FileCheck --check-prefix=NONE %s
// RUN: %trace -p function -s 'tracing_on=0 set_ftrace_filter=on:traceon:1' -- %t && %show --count %t.buf | FileCheck --check-prefix=BEGIN %s
#include "program.h"
NOINLINE void work(int n) { KEEP(n); }
NOINLINE void on(void) { KEEP(0); }
NOINLINE void off(void) { KEEP(0); }
UNTRACED int main(void) {
  for (int i = 0; i < 3; i++) {
    work(1);
    off();
    work(2);
    off();
    work(3);
    on();
    work(4);
  }
  return failures;
}
// ALL-NOT: off:
// ALL: work: 6 function
// ONCE: work: 10 entry, 10 exit
// NONE: work: 12 function
// BEGIN: off: 4 function
// BEGIN: work: 9 function
