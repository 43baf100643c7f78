// perf_counters of the CPU that cannot be read: the write fails with the reason, and the earlier choice stays; where others have all of them, a line says so.
// RUN: %traced_cc -O1 %s -I %S/../tracefs -o %t %linked && %trace_linked -p '' -s log=stderr -- %t 2>%t.err && FileCheck %s < %t.err
// CHECK: nophook: perf_counters: not all of them count now: others may use the CPU's counters
// CHECK-NOT: perf_counters
#include "pmu.h"
#include "tree.h"

UNTRACED static void expect_refusal(const char *counters, int error, const char *reason) {
  EXPECT_EQ(echo(counters, "perf_counters", 0), -error);
  EXPECT(strstr(cat("error_log"), reason) != NULL);
  EXPECT_TEXT("perf_counters", "task-clock,cycles\n");
  EXPECT_EQ(pmu_mapped(), 0);
}

UNTRACED int main(void) {
  pmu_start();
  int open = descriptors();
  EXPECT_EQ(echo("cycles,task-clock", "perf_counters", 0), 0);
  pmu->error = ENOENT;
  expect_refusal("cycles", ENODEV, "this machine has no such hardware counter");
  pmu->error = EACCES;
  expect_refusal("cycles", EACCES, "perf_event_paranoid");
  pmu->error = EINVAL; // the error for a group that never fits
  expect_refusal("cycles,bus-cycles", ENOSPC, "cannot count so many at once");
  pmu->error = EMFILE;
  expect_refusal("cycles", EMFILE, "descriptors?");
  pmu->error = 0;
  pmu->has_no_rdpmc = 1;
  expect_refusal("branches", EACCES, "does not let programs read");
  pmu->has_no_rdpmc = 0;
  unsigned asked = pmu->count;
  expect_refusal("cycles,instructions,cache-references,cache-misses,branches,branch-misses,bus-cycles,ref-cycles,task-clock", ENOSPC, "more than 8");
  EXPECT_EQ(pmu->count, asked);
  EXPECT_EQ(echo("cycles,instructions,cache-references,cache-misses,branches,branch-misses,bus-cycles,ref-cycles", "perf_counters", 0), 0);
  pmu->is_busy = 1;
  EXPECT_EQ(echo("stalled-cycles-frontend,stalled-cycles-backend", "perf_counters", 0), 0);
  EXPECT_EQ(pmu->count, asked + 10);
  EXPECT_EQ(descriptors(), open);
  EXPECT_EQ(echo("", "perf_counters", 0), 0);
  EXPECT_TEXT("perf_counters", "\n");
  return failures;
}
