// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads that run through all functions of the generated program while it is changed.

#pragma once

#include "support.h"

long run_all(long x);

enum { kPauseMs = 10, kThreads = 2 };

static int threads_stop;
static pthread_t threads[kThreads];
static unsigned long threads_laps[kThreads];

static void *run_thread(void *lap) {
  long x = 1;
  while (!__atomic_load_n(&threads_stop, __ATOMIC_RELAXED)) {
    x = run_all(x);
    __atomic_fetch_add((unsigned long *)lap, 1, __ATOMIC_RELAXED);
  }
  return (void *)x;
}

// Returns when each has been everywhere.
static void start_threads(void) {
  for (int i = 0; i < kThreads; i++)
    pthread_create(&threads[i], NULL, run_thread, &threads_laps[i]);
  for (int i = 0; i < kThreads; i++)
    while (__atomic_load_n(&threads_laps[i], __ATOMIC_RELAXED) < 2)
      sleep_ms(1);
}

static void stop_threads(void) {
  __atomic_store_n(&threads_stop, 1, __ATOMIC_RELAXED);
  for (int i = 0; i < kThreads; i++)
    pthread_join(threads[i], NULL);
}
