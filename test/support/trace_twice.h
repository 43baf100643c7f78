// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tracing in a process whose kernel refuses something: with one thread, then with another one that runs, it is switched
// on and off by both tracers. The text is the file's after each nop. Prints the number of traced calls of work().
#pragma once

#include "text.h"
#include <ftrace.h>
#include <pthread.h>

static int over;
NOINLINE static void work(void) { KEEP(0); }
UNTRACED static void *run(void *unused) {
  while (!__atomic_load_n(&over, __ATOMIC_RELAXED))
    sched_yield();
  return unused;
}
// Traces alone, then beside another thread. Returns the exit status of main().
UNTRACED static int trace_alone_and_beside(void) {
  int works = 0;
  pthread_t thread;
  for (int threads = 0; threads < 2; threads++) { // alone, and with another thread
    for (int graph = 0; graph < 2; graph++) {
      EXPECT_EQ(tracing_set_tracer(graph ? "function_graph" : "function"), 0);
      EXPECT(text_differing() > 0);
      work(), works++;
      EXPECT_EQ(tracing_set_tracer("nop"), 0);
      EXPECT_EQ(text_differing(), 0);
      work();
    }
    if (!threads)
      pthread_create(&thread, NULL, run, NULL);
  }
  __atomic_store_n(&over, 1, __ATOMIC_RELAXED);
  pthread_join(thread, NULL);
  printf("work %d\n", works);
  return failures;
}
