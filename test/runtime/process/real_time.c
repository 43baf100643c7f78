// A program that has locked its memory and runs threads under SCHED_FIFO, on the processor of the
// one that changes the tracer as well, is traced and loses no call.
// REQUIRES: root, cpus2
// RUN: %traced_cc -O1 -DSITES_WITH_TRAPS=1 %s -o %t %static
// RUN: env NOPHOOK_POKE=store %trace_linked -p '' -k 1024 -- %t
// RUN: env NOPHOOK_POKE=trap %trace_linked -p '' -k 1024 -- %t
#include "text.h"
#include "poke.h"
#include <ftrace.h>
#include <sched.h>
#include <sys/mman.h>
#include <time.h>

UNTRACED static void *run_fifo(void *unused) {
  struct sched_param priority = {.sched_priority = 10};
  struct timespec pause = {0, 200000};
  long calls = 0;
  EXPECT_EQ(sched_setscheduler(0, SCHED_FIFO, &priority), 0);
  while (!__atomic_load_n(&runners.over, __ATOMIC_RELAXED)) {
    for (SiteFunction *const *site = sites_begin; site < sites_end; site++, calls++)
      (*site)();
    nanosleep(&pause, NULL);
  }
  EXPECT_EQ(site_bodies, calls);
  return unused;
}
UNTRACED int main(void) {
  pthread_t thread;
  cpu_set_t first;
  CPU_ZERO(&first);
  CPU_SET(0, &first);
  EXPECT_EQ(mlockall(MCL_CURRENT | MCL_FUTURE), 0);
  EXPECT_EQ(sched_setaffinity(0, sizeof first, &first), 0);
  pthread_create(&thread, NULL, run_fifo, NULL);
  start_runners(1);
  for (int i = 0; i < 10; i++) {
    EXPECT_EQ(tracing_set_tracer("function"), 0);
    EXPECT_EQ(tracing_set_tracer("function_graph"), 0);
    EXPECT_EQ(tracing_set_tracer("nop"), 0);
    EXPECT_EQ(text_differing(), 0);
    wait_for_runners();
  }
  stop_runners();
  pthread_join(thread, NULL);
  return failures != 0;
}
