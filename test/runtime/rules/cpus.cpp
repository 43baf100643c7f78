// tracing_cpumask means the same for C++: of a member function's calls those on that CPU.
// REQUIRES: cpus2
// RUN: %traced_cxx -O1 %s -o %t
// RUN: %trace -p function_graph -s tracing_cpumask=2 -- %t && %show --count %t.buf | FileCheck --check-prefix=GRAPH %s
// RUN: %trace -p function -s tracing_cpumask=1 -- %t && %show --count %t.buf | FileCheck --check-prefix=FUNCTION %s
#include "program.h"
#include <sched.h>
struct Place {
  NOINLINE void work(int n) { KEEP(n); }
};
UNTRACED int main() {
  Place place;
  for (int i = 0; i < 3; i++) {
    int cpu = i > 0;
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    EXPECT_EQ(sched_setaffinity(0, sizeof set, &set), 0);
    place.work(cpu);
  }
  return failures;
}
// GRAPH: _ZN5Place4workEi: 2 entry, 2 exit
// FUNCTION: _ZN5Place4workEi: 1 function
