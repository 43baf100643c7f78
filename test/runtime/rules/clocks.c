// trace_clock: events are stamped by the clock that is asked for, which the buffer names (mono: the counter, if the CPU promises that it runs evenly).
// RUN: %traced_cc -O1 %s -o %t
// RUN: %trace -p function -s trace_clock=mono -- %t && %show --python 'buffers[0].clock == buffers[0].unsteady' %t.buf
// RUN: %show --count %t.buf | FileCheck --check-prefix=FUNCTION %s
// RUN: %trace -p function_graph -s trace_clock=local -- %t && %show --python 'buffers[0].clock == 2' %t.buf && %show --count %t.buf | FileCheck --check-prefix=GRAPH %s
// RUN: %trace -p function_graph -s trace_clock=boot -- %t && %show --python 'buffers[0].clock == 3' %t.buf && %show --count %t.buf | FileCheck --check-prefix=GRAPH %s
// RUN: %trace -p function -s trace_clock=counter -- %t && %show --python '[e.tsc for e in buffers[0].rings[0].events] == list(range(1, 30002))' %t.buf
// RUN: %trace -p function -s trace_clock=x86-tsc -- %t && %show --python 'buffers[0].clock == 0' %t.buf
#include "program.h"
NOINLINE void work(int n) { KEEP(n); }
int main(void) {
  for (int i = 0; i < 30000; i++)
    work(i);
  return failures;
}
// FUNCTION: work: 30000 function
// GRAPH: work: 30000 entry, 30000 exit
