// func-no-repeats: a call that comes again from the same place is counted, and the count is recorded before the next other one.
// RUN: %traced_cc -O1 %s -o %t
// RUN: %trace -p function -s trace_options=func-no-repeats -- %t
// RUN: %show --python '[buffers[0].maps.name(e.id) for e in buffers[0].rings[0].events] == ["main", "again", "other", "again", "other"]' %t.buf
// RUN: %show --python '[(m.behind, buffers[0].maps.name(m.numbers[0]), m.numbers[2]) for m in buffers[0].rings[0].marks] == [(2, "again", 99), (4, "again", 9)]' %t.buf
// RUN: %show --python 'all(m.numbers[1] == e.parent for m, e in zip(buffers[0].rings[0].marks, buffers[0].rings[0].events[1::2]))' %t.buf
#include "program.h"
NOINLINE void again(int n) { KEEP(n); }
NOINLINE void other(void) { KEEP(0); }
int main(void) {
  for (int i = 0; i < 100; i++)
    again(i);
  other();
  for (int i = 0; i < 10; i++)
    again(i);
  other();
  return failures;
}
