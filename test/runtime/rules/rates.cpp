// sample:N records each Nth call, ratelimit:N/s so many in a second, auto_notrace leaves out functions that are called too often and says so.
// RUN: %traced_cxx -O1 %s -o %t
// RUN: %trace -p function_graph -s 'set_ftrace_filter=hot,rare,hot:sample:100' -- %t && %show --count %t.buf | FileCheck --check-prefix=SAMPLE %s
// RUN: %trace -p function -s 'set_ftrace_filter=hot,rare,hot:sample:100,!hot:sample' -- %t && %show --count %t.buf | FileCheck --check-prefix=ALL %s
// RUN: %trace -p function -s 'set_ftrace_filter=hot,rare,hot:ratelimit:7/s trace_clock=boot' -- %t && %show --count %t.buf | FileCheck --check-prefix=RATE %s
// RUN: %show --python '7 <= sum("hot" in buffers[0].maps.name(e.id) for r in buffers[0].rings for e in r.events) <= 7 * (2 + (max(e.tsc for r in buffers[0].rings for e in r.events) - min(e.tsc for r in buffers[0].rings for e in r.events)) // 10**9)' %t.buf
// RUN: %trace -p function -s 'auto_notrace=1000 set_ftrace_filter=hot,rare' -- %t && %show --count %t.buf | FileCheck --check-prefix=AUTO %s
// RUN: %show --python 'sum(len(r.events) for r in buffers[0].rings) < 100005' %t.buf
// RUN: %trace -p function_graph -s 'auto_notrace=1000 set_ftrace_filter=hot,rare' -- %t && %show --count %t.buf | FileCheck --check-prefix=GRAPH %s
// RUN: %show --python '0 < 2 * sum(e.kind == "exit" for r in buffers[0].rings for e in r.events) == sum(len(r.events) for r in buffers[0].rings) < 200010' %t.buf
// Without symbols it is a number.
// RUN: %traced_cxx -O1 %s -s -o %t.bare && %trace -p function -s 'auto_notrace=1000' -- %t.bare && %show --python '"auto_notrace: function " in buffers[0].log' %t.buf
#include "program.h"
NOINLINE void hot(int n) { KEEP(n); }
NOINLINE void rare() { KEEP(0); }
UNTRACED int main() {
  for (int i = 0; i < 200000; i++)
    hot(i);
  for (int i = 0; i < 5; i++)
    rare();
  return failures;
}
// SAMPLE: _Z3hoti: 2000 entry, 2000 exit
// SAMPLE: _Z4rarev: 5 entry, 5 exit
// ALL: _Z3hoti: 200000 function
// RATE: _Z3hoti
// RATE: _Z4rarev: 5 function
// AUTO: log: auto_notrace: _Z3hoti is called more than 1000 times a second
// AUTO: _Z4rarev: 5 function
// GRAPH: log: auto_notrace: _Z3hoti is called more than 1000 times a second
// GRAPH: 0 unwound, 0 orphans, 0 open
// GRAPH: _Z4rarev: 5 entry, 5 exit
