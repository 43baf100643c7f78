// Each event says which CPU it was on, also when glibc registers no rseq area.
// REQUIRES: cpus2
// RUN: %traced_cc -O1 %s -o %t
// RUN: %trace -- %t
// RUN: %show --python 'all(e.cpu == int(b.maps.name(e.id)[-1]) for b in buffers for r in b.rings for e in r.events if e.kind == "entry")' %t.buf
// RUN: %show --python 'sum(len(r.events) for b in buffers for r in b.rings) == 800' %t.buf
// RUN: env GLIBC_TUNABLES=glibc.pthread.rseq=0 %trace -- %t
// RUN: %show --python 'sum(len(r.events) for b in buffers for r in b.rings) == 800' %t.buf
#include "program.h"
#include <sched.h>

NOINLINE static void on_cpu0(void) { KEEP(0); }
NOINLINE static void on_cpu1(void) { KEEP(0); }
UNTRACED int main(void) {
  for (int i = 0; i < 20; i++) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(i & 1, &set);
    EXPECT_EQ(sched_setaffinity(0, sizeof set, &set), 0);
    for (int k = 0; k < 20; k++)
      i & 1 ? on_cpu1() : on_cpu0();
  }
  return failures;
}
