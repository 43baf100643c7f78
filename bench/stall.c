// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The time for which a thread of real-time priority stands still while all sites of a large program
// are opened and closed. It calls a traced function again and again and looks at the clock; the
// longest time between two looks is its stall. In microseconds, one sample for each change; `quiet`
// are as many spells of about the same length in which nothing changes: the stalls that the machine
// itself causes.
//
// It runs in these spells only: the kernel takes the processor from a thread that has all of it. It
// is bound to the last CPU, and the thread that makes the changes to the first one.
//
// Compiled for XRay (WITH_XRAY), LLVM's own patching makes the changes.

#include "support.h"

#include <semaphore.h>

enum { kChanges = 60, kSpellMs = 3 };

#ifdef WITH_XRAY
#include <xray/xray_interface.h>

static void change_all(bool on) {
  if ((on ? __xray_patch() : __xray_unpatch()) != SUCCESS)
    give_up("XRay refuses");
}
#else
#include <ftrace.h>

static void change_all(bool on) {
  if (tracing_set_tracer(on ? "function" : "nop"))
    give_up("the tracer is refused");
}
#endif

NOINLINE void leaf(void) {
  __asm__ volatile("");
}

static sem_t begin, ended;
static int spell_over, all_over;
static double longest_us;
static struct samples changes = {.name = "changes"}, quiet = {.name = "quiet"};
static struct samples real_time = {.name = "real_time"};

static void *look_at_clock(void *unused) {
  add_sample(&real_time, bind_to_last_cpu());
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

static void begin_spell(void) {
  sleep_ms(kSpellMs); // without pauses, it would have nearly all of the processor's time
  __atomic_store_n(&spell_over, 0, __ATOMIC_RELEASE);
  sem_post(&begin);
  sleep_ms(1);
}

static void end_spell(struct samples *samples) {
  sleep_ms(kSpellMs);
  __atomic_store_n(&spell_over, 1, __ATOMIC_RELEASE);
  sem_wait(&ended);
  add_sample(samples, longest_us);
  if (buffer)
    drain_buffer();
}

int main(void) {
  bind_to_cpu(false);
  pthread_t thread;
  sem_init(&begin, 0, 0), sem_init(&ended, 0, 0);
  pthread_create(&thread, NULL, look_at_clock, NULL);
  change_all(true), change_all(false); // the first time copies pages
#ifndef WITH_XRAY
  map_buffer();
#endif
  for (int i = 0; i < kChanges; i++) {
    begin_spell();
    change_all(i % 2 == 0);
    end_spell(&changes);
    begin_spell();
    end_spell(&quiet);
  }
  __atomic_store_n(&all_over, 1, __ATOMIC_RELEASE);
  sem_post(&begin);
  pthread_join(thread, NULL);
  print_samples(&changes), print_samples(&quiet), print_samples(&real_time);
  return 0;
}
