// perf_counters of a CPU that has some: a million rounds of a loop, and none.
// REQUIRES: pmu
// RUN: %traced_cc %s -o %t && %nophook record -S perf_counters=cycles,instructions,branches -o %t.data -- %t && %nophook report %t.data | FileCheck %s
#define SEEN __attribute__((noinline, used))
SEEN void counts(int rounds) {
  for (volatile int i = 0; i < rounds; i++)
    ;
}
int main(void) {
  counts(1000000);
  counts(0);
  return 0;
}
// CHECK: counts(); /* cycles={{[0-9]{6,9}}}, instructions={{[3-9][0-9]{6}|[0-9]{8}}}, branches={{[1-9][0-9]{6}}} */
// CHECK: counts(); /* cycles={{[0-9]{1,5}}}, instructions={{[0-9]{1,4}}}, branches={{[0-9]{1,3}}} */
