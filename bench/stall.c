// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For how long a thread of real time stands still while all sites of a large program are opened and
// closed. It calls a traced function again and again and looks at the clock; the longest time
// between two looks is its stall. In microseconds, one sample for each change; `quiet` are as many
// spells of about the same length in which nothing changes: what the machine does to it anyway.
//
// It runs in these spells only: the kernel takes the processor from a thread that has all of it.

#include "support.h"

#include <ftrace.h>
#include <sched.h>
#include <semaphore.h>

enum { kChanges = 200, kSpellMs = 3 };

NOINLINE void leaf(void) {
  __asm__ volatile("");
}

static sem_t begin, ended;
static int spell_over, all_over;
static double longest_us;

static void *look_at_clock(void *unused) {
  while (sem_wait(&begin) == 0 && !__atomic_load_n(&all_over, __ATOMIC_ACQUIRE)) {
    double last = now_ns(), longest = 0;
    while (!__atomic_load_n(&spell_over, __ATOMIC_ACQUIRE)) {
      leaf();
      double now = now_ns();
      longest = now - last > longest ? now - last : longest;
      last = now;
    }
    longest_us = longest / 1e3;
    sem_post(&ended);
  }
  return unused;
}

static void spell(const char *tracer, struct samples *samples) {
  __atomic_store_n(&spell_over, 0, __ATOMIC_RELEASE);
  sem_post(&begin);
  sleep_ms(1);
  if (tracer && tracing_set_tracer(tracer))
    give_up("%s is refused", tracer);
  sleep_ms(kSpellMs);
  __atomic_store_n(&spell_over, 1, __ATOMIC_RELEASE);
  sem_wait(&ended);
  add_sample(samples, longest_us);
  drain_buffer();
}

int main(void) {
  static struct samples changes = {.name = "changes"}, quiet = {.name = "quiet"};
  static struct samples real_time = {.name = "real_time"};
  pthread_t thread;
  sem_init(&begin, 0, 0), sem_init(&ended, 0, 0);
  pthread_create(&thread, NULL, look_at_clock, NULL);
  struct sched_param least = {.sched_priority = 1};
  add_sample(&real_time, pthread_setschedparam(thread, SCHED_FIFO, &least) == 0);
  if (tracing_set_tracer("function") || tracing_set_tracer("nop")) // the first time copies pages
    give_up("no tracer");
  map_buffer();
  for (int i = 0; i < kChanges; i++) {
    spell(i % 2 ? "nop" : "function", &changes);
    spell(NULL, &quiet);
  }
  __atomic_store_n(&all_over, 1, __ATOMIC_RELEASE);
  sem_post(&begin);
  pthread_join(thread, NULL);
  print_samples(&changes), print_samples(&quiet), print_samples(&real_time);
  return 0;
}
