// Each instance counts by its own perf_counters, with a group of its own in each thread, whose pages go with its tracer or with the instance; the others' stay.
// RUN: %traced_cc -O1 %s -I %S/../tracefs -o %t %linked && %trace_linked -p '' -- %t
// RUN: %nophook report %t.buf/*@cycles.buf | FileCheck %s --check-prefix=CYCLES
// RUN: %nophook report %t.buf/*@more.buf | FileCheck %s --check-prefix=MORE
// RUN: %nophook report %t.buf | FileCheck %s --check-prefix=MAIN
// CYCLES:      calls() {
// CYCLES:      works(); /* cycles=10 */
// CYCLES:      } /* calls cycles=10 */
// CYCLES:      thread_works() {
// CYCLES:      works(); /* cycles=20 */
// CYCLES:      } /* thread_works cycles=20 */
// CYCLES-NOT:  works
// MORE:        calls() {
// MORE:        works(); /* page-faults={{[0-9]+}}, instructions=20 */
// MORE:        } /* calls page-faults={{[0-9]+}}, instructions=20 */
// MORE:        thread_works() {
// MORE:        works(); /* page-faults={{[0-9]+}}, instructions=40 */
// MORE:        works(); /* page-faults={{[0-9]+}}, instructions=60 */
// MAIN:        works();{{$}}
// MAIN-NOT:    cycles=
#include "pmu.h"
#include "tree.h"

NOINLINE void works(unsigned long cycles) {
  pmu_count(PERF_COUNT_HW_CPU_CYCLES, cycles);
  pmu_count(PERF_COUNT_HW_INSTRUCTIONS, 2 * cycles);
}
NOINLINE void calls(void) {
  works(10);
  KEEP(0);
}
NOINLINE void thread_works(void) {
  works(20);
  KEEP(0);
}
UNTRACED static void *thread(void *unused) {
  thread_works();
  EXPECT_EQ(pmu_mapped(), 4); // of each array, and the main thread's
  return unused;
}

UNTRACED int main(void) {
  pmu_start();
  int open = descriptors();
  EXPECT_EQ(tracefs_mkdir("instances/cycles"), 0);
  EXPECT_EQ(tracefs_mkdir("instances/more"), 0);
  EXPECT_EQ(echo("cycles", "instances/cycles/perf_counters", 0), 0);
  EXPECT_EQ(echo("instructions,page-faults", "instances/more/perf_counters", 0), 0);
  EXPECT_EQ(echo("nothing", "instances/more/perf_counters", 0), -EINVAL);
  EXPECT_TEXT("instances/cycles/perf_counters", "cycles\n");
  EXPECT_TEXT("instances/more/perf_counters", "page-faults,instructions\n");
  EXPECT_TEXT("perf_counters", "\n");
  EXPECT_EQ(echo("function_graph", "instances/cycles/current_tracer", 0), 0);
  EXPECT_EQ(echo("function_graph", "instances/more/current_tracer", 0), 0);
  EXPECT_EQ(echo("function_graph", "current_tracer", 0), 0);
  EXPECT_EQ(pmu_mapped(), 0);
  calls();
  EXPECT_EQ(pmu_mapped(), 2);
  pthread_t id;
  EXPECT_EQ(pthread_create(&id, NULL, thread, NULL), 0);
  EXPECT_EQ(pthread_join(id, NULL), 0);
  EXPECT_EQ(echo("nop", "current_tracer", 0), 0);
  EXPECT_EQ(pmu_mapped(), 4); // the record of the thread that has ended keeps its own
  EXPECT_EQ(echo("nop", "instances/cycles/current_tracer", 0), 0);
  EXPECT_EQ(pmu_mapped(), 2);

  EXPECT_EQ(tracefs_mkdir("instances/gone"), 0);
  EXPECT_EQ(echo("cycles,branches", "instances/gone/perf_counters", 0), 0);
  EXPECT_EQ(echo("function_graph", "instances/gone/current_tracer", 0), 0);
  works(30);
  EXPECT_EQ(pmu_mapped(), 4);
  EXPECT_EQ(tracefs_rmdir("instances/gone"), 0); // while it counts
  EXPECT_EQ(pmu_mapped(), 2);
  EXPECT_EQ(tracefs_mkdir("instances/gone"), 0);
  EXPECT_TEXT("instances/gone/perf_counters", "\n");
  EXPECT_EQ(echo("nop", "instances/more/current_tracer", 0), 0);
  EXPECT_EQ(pmu_mapped(), 0);
  EXPECT_EQ(descriptors(), open);
  return failures;
}
