// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads that run through all functions of the generated program while it is changed.

#pragma once

#include "support.h"

long run_all(long x);

enum { kPauseMs = 10, kMostThreads = 1000 };

static int threads_stop, thread_count = 2;
static pthread_t threads[kMostThreads];
static unsigned long threads_laps[kMostThreads];

// The number of threads that an argument asks for.
static void set_thread_count(const char *argument) {
  thread_count = atoi(argument);
  if (thread_count < 0 || thread_count > kMostThreads)
    give_up("%s threads are not between 0 and %d", argument, kMostThreads);
}

static void *run_thread(void *lap) {
  long x = 1;
  while (!__atomic_load_n(&threads_stop, __ATOMIC_RELAXED)) {
    x = run_all(x);
    __atomic_fetch_add((unsigned long *)lap, 1, __ATOMIC_RELAXED);
  }
  return (void *)x;
}

// Starts the threads, and returns when each has called all functions.
static void start_threads(void) {
  for (int i = 0; i < thread_count; i++)
    pthread_create(&threads[i], NULL, run_thread, &threads_laps[i]);
  for (int i = 0; i < thread_count; i++)
    while (__atomic_load_n(&threads_laps[i], __ATOMIC_RELAXED) < 2)
      sleep_ms(1);
}

static void stop_threads(void) {
  __atomic_store_n(&threads_stop, 1, __ATOMIC_RELAXED);
  for (int i = 0; i < thread_count; i++)
    pthread_join(threads[i], NULL);
}
