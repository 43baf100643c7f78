// tracing_thresh: the graph has only the ends of calls that took at least this many us, with their time; the profiler counts no others.
// RUN: %traced_cc -O1 %s -o %t
// RUN: %trace -s 'tracing_thresh=2000 trace_clock=boot' -- %t
// RUN: %show --python 'Counter(b.maps.name(e.id) for b in buffers for r in b.rings for e in r.events if b.maps.name(e.id) != "quick") == dict(slow=2, caller=1, main=1)' %t.buf
// RUN: %show --python 'all(e.kind == "exit" and e.took >= 2000000 for r in buffers[0].rings for e in r.events)' %t.buf
// RUN: %show --python '[e.depth for r in buffers[0].rings for e in r.events if buffers[0].maps.name(e.id) != "quick"] == [2, 1, 1, 0]' %t.buf
// RUN: %trace -s 'tracing_thresh=2000 max_graph_depth=1' -- %t
// RUN: %show --python '[b.maps.name(e.id) for b in buffers for r in b.rings for e in r.events] == ["main"]' %t.buf
// RUN: %trace -s tracing_thresh=3600000000 -- %t && %show --python 'buffers[0].rings == []' %t.buf
#include "program.h"
#include <time.h>
NOINLINE void quick(int n) { KEEP(n); }
NOINLINE void slow(void) {
  struct timespec time = {0, 5000000};
  quick(1);
  nanosleep(&time, NULL);
}
NOINLINE void caller(void) {
  slow();
  quick(2);
}
int main(void) {
  caller();
  slow();
  quick(3);
  return failures;
}
