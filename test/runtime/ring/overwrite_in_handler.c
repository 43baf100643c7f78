// A handler that fills its whole ring at any instruction of an event overwrites none that is not complete, and the ring goes on.
// RUN: %traced_cc -O1 %s -o %t %static
// RUN: %trace_linked -p function_graph -l work -l last -l handled -k 1024 -s buffer_mode=overwrite -- %t
// RUN: %show --python 'all(r.holes == 0 for r in buffers[0].rings)' %t.buf
// RUN: %show --python 'all(a.tsc <= b.tsc for r in buffers[0].rings for a, b in zip(r.events, r.events[1:]))' %t.buf
// RUN: %show --python 'sum(r.lost for r in buffers[0].rings) > 0' %t.buf
// RUN: %show --count %t.buf | FileCheck %s
// CHECK: last: 2 entry, 2 exit
#include "step.h"

NOINLINE static void work(int n) { KEEP(n); }
NOINLINE static void handled(int n) { KEEP(n); }
NOINLINE static void last(int n) { KEEP(n); }
static long fill_at;
UNTRACED static void visit(ucontext_t *context, long step) {
  (void)context;
  for (int i = 0; step == fill_at && i < 80000; i++)
    handled(i);
}
UNTRACED int main(void) {
  long steps = 1;
  work(0);
  step_with(visit);
  for (fill_at = 0; fill_at <= steps; fill_at++) {
    step_count = 0;
    STEP_BEGIN();
    work(1);
    STEP_END();
    steps = step_count;
  }
  last(2), last(3);
  EXPECT(fill_at > 50);
  return failures;
}
