// The longest call of a C++ function, by its C++ name, and the longest time between two marks: set_latency_function, set_latency_marks, tracing_max_latency.
// RUN: %traced_cxx -O1 %s -o %t %linked
// RUN: %trace_linked -p function -s 'set_latency_function=space::work tracing_max_latency=0 buffer_mode=overwrite' -- %t
// RUN: %show --python '[[b.maps.name(e.id)[-6:] for e in r.events][:4] for b in buffers if b.snapshot == 17 for r in b.rings] == [["otherv", "workEl"] * 2]' %t.buf
// RUN: %trace_linked -p function -s 'set_latency_marks=begin,end tracing_max_latency=0 buffer_mode=overwrite' -- %t
// RUN: %show --python '[len(r.marks) >= 4 for b in buffers if b.snapshot == 17 for r in b.rings] == [True]' %t.buf
#include "../tracefs/tree.h"
#include <ctime>
#include <trace_marker.h>

namespace space {
NOINLINE void work(long ms) {
  timespec pause = {0, ms * 1000000};
  if (ms)
    nanosleep(&pause, nullptr);
}
} // namespace space
NOINLINE void other() { KEEP(0); }

// The latency that is kept after work between two marks, in microseconds.
UNTRACED static double work_between_marks(long ms) {
  other();
  trace_marker_write("begin", 5);
  space::work(ms);
  trace_marker_write("end", 3);
  return atof(cat("tracing_max_latency"));
}

UNTRACED int main() {
  double first = work_between_marks(0), longest = work_between_marks((long)first / 1000 + 20);
  EXPECT(first > 0 && longest > first && longest >= 20000);
  EXPECT(work_between_marks(0) >= longest); // a shorter one does not lower it
  return failures;
}
