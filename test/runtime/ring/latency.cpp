// The longest call of a C++ function, by its C++ name: set_latency_function, tracing_max_latency, set_latency_marks.
// RUN: %traced_cxx -O1 %s -o %t
// RUN: %trace -p function -s 'set_latency_function=space::work tracing_max_latency=0 set_latency_marks=begin,end buffer_mode=overwrite' -- %t
// RUN: %show --python 'any(b.maps.name(r.events[-1].id).endswith("workEi") for b in buffers if b.snapshot == 17 for r in b.rings)' %t.buf
#include "program.h"

namespace space {
NOINLINE void work(int n) { KEEP(n); }
} // namespace space
NOINLINE void other() { KEEP(0); }

UNTRACED int main() {
  other();
  space::work(1);
  other();
  return failures;
}
