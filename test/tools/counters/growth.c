// perf_counters: the exit of a call shows the growth of the thread's counters during it: page faults and switches that the program can count itself, and a clock that only runs where the thread does; beside a result, and with tracing_thresh.
// RUN: %traced_cc %s -o %t && %nophook record -S perf_counters=page-faults,context-switches,task-clock --retval -o %t.data -- %t && %nophook report %t.data | FileCheck %s
// RUN: %nophook report --json %t.data | FileCheck --check-prefix=JSON %s
// RUN: %nophook record -S perf_counters=page-faults -S tracing_thresh=50000 -o %t.slow -- %t && %nophook report %t.slow | FileCheck --check-prefix=SLOW %s
// RUN: %exits 2 %nophook record -S perf_counters=circles -o %t.none -- %t 2>&1 | FileCheck --check-prefix=UNKNOWN %s
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define SEEN __attribute__((noinline, used))
enum { kPages = 1000 };
SEEN int touches(char *pages) {
  for (int i = 0; i < kPages; i++)
    *(volatile char *)(pages + 4096l * i) = 1;
  return 7;
}
SEEN void sleeps(void) { usleep(100000); }
int main(void) {
  char *pages = (char *)mmap(0, 4096l * kPages, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  madvise(pages, 4096l * kPages, MADV_NOHUGEPAGE);
  touches(pages);
  touches(pages);
  sleeps();
  return 0;
}
// CHECK: main() {
// CHECK: touches(); /* ret=7 task-clock={{[0-9.]+}} us, page-faults=10{{[0-9][0-9]}}, context-switches={{[0-9]+}} */
// CHECK: touches(); /* ret=7 task-clock={{[0-9.]+}} us, page-faults={{[0-9]}}, context-switches={{[0-9]+}} */
// A sleep of 100 ms runs for less than 100 ms.
// CHECK: sleeps(); /* task-clock={{[0-9]?[0-9]?[0-9]?[0-9]?[0-9]\.[0-9]+}} us, page-faults={{[0-9]+}}, context-switches={{[1-9][0-9]*}} */
// CHECK: } /* main ret=0 task-clock={{[0-9.]+}} us, page-faults=10{{[0-9][0-9]}}, context-switches={{[1-9][0-9]*}} */
// JSON: "function":"touches"{{.*}}"counters":{"task-clock":{{[0-9]+}},"page-faults":10{{[0-9][0-9]}},"context-switches":{{[0-9]+}}}
// SLOW: } /* sleeps page-faults={{[0-9]+}} */
// UNKNOWN: perf_counters=circles: unknown counter (task-clock, page-faults,
