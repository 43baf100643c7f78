// perf_counters of the CPU: each thread's own, read from its pages, and none where it does not count or the call ends in another thread; without a descriptor that stays, and without a page when the tracer goes.
// RUN: %traced_cc -O1 %s -I %S/../tracefs -o %t %linked && %trace_linked -p '' -- %t && %nophook report %t.buf > %t.txt && FileCheck %s < %t.txt
// RUN: FileCheck --check-prefix=THREADS %s < %t.txt && FileCheck --check-prefix=CHILD %s < %t.txt
#include "pmu.h"
#include "tree.h"

#include <sys/wait.h>

enum { kCycles = PERF_COUNT_HW_CPU_CYCLES, kInstructions = PERF_COUNT_HW_INSTRUCTIONS };

NOINLINE void works(unsigned long cycles) {
  pmu_count(kCycles, cycles);
  pmu_count(kInstructions, 2 * cycles);
}
NOINLINE void calls(void) {
  works(10);
  works(20);
  KEEP(0);
}
NOINLINE void is_moved(void) {
  works(30);
  pmu->moves = 1; // at the exit
}
NOINLINE void is_not_counted(void) {
  pmu_event(kCycles)->page->index = 0;
  pmu_count(kInstructions, 7);
}
NOINLINE void does_nothing(void) { KEEP(0); }
NOINLINE int forks(void) { return fork(); }
NOINLINE void child_works(void) {
  works(40);
  KEEP(0);
}
NOINLINE void thread_works(void) {
  works(50);
  KEEP(0);
}
NOINLINE void thread_without(void) { KEEP(0); }

UNTRACED static void *thread(void *number) {
  if (number)
    thread_without();
  else
    thread_works();
  EXPECT_EQ(pmu_mapped(), number ? 2 : 4); // and the main thread's
  return NULL;
}
UNTRACED static void run_thread(long number) {
  pthread_t id;
  EXPECT_EQ(pthread_create(&id, NULL, thread, (void *)number), 0);
  EXPECT_EQ(pthread_join(id, NULL), 0);
}

UNTRACED int main(void) {
  pmu_start();
  int open = descriptors();
  EXPECT_EQ(echo("cycles,page-faults,instructions", "perf_counters", 0), 0);
  EXPECT_TEXT("perf_counters", "page-faults,cycles,instructions\n");
  EXPECT_EQ(pmu->count, 2);
  for (int round = 0; round < 3; round++) { // each time its pages come and go
    EXPECT_EQ(pmu_mapped(), 0);
    EXPECT_EQ(echo("function_graph", "current_tracer", 0), 0);
    does_nothing();
    EXPECT_EQ(pmu_mapped(), 2);
    EXPECT_EQ(echo("nop", "current_tracer", 0), 0);
  }
  unsigned had = pmu->count;
  EXPECT_EQ(echo("function_graph", "current_tracer", 0), 0);
  // CHECK: calls() {
  // CHECK-NEXT: works(); /* page-faults={{[0-9]+}}, cycles=10, instructions=20 */
  // CHECK-NEXT: works(); /* page-faults={{[0-9]+}}, cycles=20, instructions=40 */
  // CHECK-NEXT: } /* calls page-faults={{[0-9]+}}, cycles=30, instructions=60 */
  calls();
  EXPECT_EQ(pmu->count, had + 2);
  EXPECT_EQ(pmu_mapped(), 2);
  EXPECT_EQ(descriptors(), open);
  const struct PmuEvent *events = pmu->events;
  for (unsigned i = 0; i <= had; i += 2)
    EXPECT(events[i].is_pinned && events[i].group == -1 && !events[i + 1].is_pinned && events[i + 1].group >= 0);
  // CHECK: } /* is_moved page-faults={{[0-9]+}}, cycles=30, instructions=60 */
  is_moved();
  EXPECT_EQ(pmu->moves, 0);
  // THREADS: thread_works() {
  // THREADS: } /* thread_works page-faults={{[0-9]+}}, cycles=50, instructions=100 */
  run_thread(0);
  // The next thread has the record of the last one, whose pages go.
  // THREADS: thread_without(); /* page-faults={{[0-9]+}} */
  pmu->error = EMFILE;
  run_thread(1);
  pmu->error = 0;
  EXPECT_EQ(descriptors(), open);
  // CHILD-DAG: forks(); /* page-faults={{[0-9]+}}, cycles=0, instructions=0 */
  // CHILD-DAG: } /* forks */{{$}}
  // CHILD-DAG: } /* child_works page-faults={{[0-9]+}}, cycles=40, instructions=80 */
  EXPECT_EQ(pmu_mapped(), 2);
  int child = forks();
  if (!child) {
    EXPECT_EQ(pmu_mapped(), 0);
    does_nothing();
    child_works();
    EXPECT_EQ(pmu_mapped(), 2);
    fflush(stdout);
    _exit(failures);
  }
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  // CHECK: is_not_counted(); /* page-faults={{[0-9]+}}, instructions=7 */
  is_not_counted();
  EXPECT_EQ(echo("nop", "current_tracer", 0), 0);
  EXPECT_EQ(pmu_mapped(), 0);
  return failures;
}
