// tracing_cpumask: only calls that begin on these CPUs, a hexadecimal number.
// REQUIRES: cpus2
// RUN: %traced_cc -O1 %s -o %t
// RUN: %trace -p function_graph -s tracing_cpumask=2 -- %t && %show --count %t.buf | FileCheck --check-prefix=GRAPH %s
// RUN: %trace -p function -s tracing_cpumask=2 -- %t && %show --count %t.buf | FileCheck --check-prefix=ONE %s
// RUN: %trace -p function -s tracing_cpumask=00000000,1 -- %t && %show --count %t.buf | FileCheck --check-prefix=ZERO %s
// RUN: %trace -p function -s tracing_cpumask=3 -- %t && %show --count %t.buf | FileCheck --check-prefix=BOTH %s
#include "program.h"
#include <sched.h>
NOINLINE void zero(void) { KEEP(0); }
NOINLINE void one(void) { KEEP(0); }
UNTRACED static void go_to(int cpu) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(cpu, &set);
  EXPECT_EQ(sched_setaffinity(0, sizeof set, &set), 0);
}
UNTRACED int main(void) {
  for (int i = 0; i < 2; i++) {
    go_to(0);
    zero();
    go_to(1);
    one();
  }
  return failures;
}
// GRAPH-NOT: zero:
// GRAPH: one: 2 entry, 2 exit
// ONE-NOT: zero:
// ONE: one: 2 function
// ZERO: zero: 2 function
// ZERO-NOT: one:
// BOTH: one: 2 function
// BOTH: zero: 2 function
