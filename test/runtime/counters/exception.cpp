// perf_counters of the CPU in C++: what a call that an exception leaves has counted is in the call that catches.
// RUN: %traced_cxx -D_GNU_SOURCE -O1 %s -I %S/../tracefs -o %t %linked && %trace_linked -p '' -- %t && %nophook report %t.buf | FileCheck %s
#include "pmu.h"
#include "tree.h"

NOINLINE void works(unsigned long branches) { pmu_count(PERF_COUNT_HW_BRANCH_INSTRUCTIONS, branches); }
NOINLINE void leaves() {
  works(5);
  throw 1;
}
NOINLINE void catches() {
  try {
    leaves();
  } catch (int) {
    works(6);
  }
}

UNTRACED int main() {
  pmu_start();
  EXPECT_EQ(echo("branches", "perf_counters", 0), 0);
  EXPECT_EQ(echo("function_graph", "current_tracer", 0), 0);
  catches();
  return failures;
}
// CHECK: catches() {
// CHECK: works({{.*}}); /* branches=5 */
// CHECK: } /* leaves{{.*}} left */
// CHECK: works({{.*}}); /* branches=6 */
// CHECK: } /* catches{{.*}} branches=11 */
