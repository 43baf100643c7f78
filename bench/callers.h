// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One function, and threads that call it while its site is toggled. The threads are bound to the
// last CPU and the thread that toggles is bound to the first one, so another CPU always executes
// the site. If the scheduler chose, both could be on one CPU, and a change would cost a tenth.

#pragma once

#include "support.h"

enum { kToggles = 250, kCallers = 2 };

NOINLINE void leaf(void) {
  __asm__ volatile("");
}

static int callers_stop, callers_running;
static pthread_t callers[kCallers];

static void *call_leaf(void *unused) {
  bind_to_cpu(true);
  __atomic_fetch_add(&callers_running, 1, __ATOMIC_RELAXED);
  while (!__atomic_load_n(&callers_stop, __ATOMIC_RELAXED))
    leaf();
  return unused;
}

static void start_callers(void) {
  for (int i = 0; i < kCallers; i++)
    pthread_create(&callers[i], NULL, call_leaf, NULL);
  while (__atomic_load_n(&callers_running, __ATOMIC_RELAXED) < kCallers)
    sleep_ms(1);
}

static void stop_callers(void) {
  __atomic_store_n(&callers_stop, 1, __ATOMIC_RELAXED);
  for (int i = 0; i < kCallers; i++)
    pthread_join(callers[i], NULL);
}
