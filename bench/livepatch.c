// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Three costs of live patches. The call of a patched function, once all threads have changed over,
// in nanoseconds beside the same call without a patch. The time in which 800 threads change over
// that are always inside the function and leave it each 20 ms, in milliseconds. And the
// announcement of a switch by a library of fibers, in nanoseconds.

#include "support.h"

#include <livepatch.h>

enum { kCalls = 2000000, kThreads = 800, kInsideMs = 20 };

NOINLINE void leaf(void) {
  __asm__ volatile("");
}
NOINLINE UNTRACED static void new_leaf(void) {
  __asm__ volatile("");
}

NOINLINE void stay(void) {
  sleep_ms(kInsideMs);
}
NOINLINE UNTRACED static void new_stay(void) {
  sleep_ms(kInsideMs);
  __asm__ volatile("");
}

static struct klp_func functions[] = {
    {.old_name = "leaf", .new_func = (void *)new_leaf},
    {.old_name = "stay", .new_func = (void *)new_stay},
    {0},
};
static struct klp_object objects[] = {{.funcs = functions}, {0}};
static struct klp_patch patch = {.objs = objects};

// The time of a change, in milliseconds.
UNTRACED static double change(int (*begin)(struct klp_patch *)) {
  const double start = now_ns();
  if (begin(&patch))
    give_up("the patch is refused: run with NOPHOOK=log=stderr");
  while (klp_patch_status(&patch) & KLP_TRANSITION)
    usleep(100);
  return (now_ns() - start) / 1e6;
}

UNTRACED static double time_calls(void) {
  const double start = now_ns();
  for (int i = 0; i < kCalls; i++)
    leaf();
  return (now_ns() - start) / kCalls;
}

// The time of the announcements of two switches, there and back, without the switches.
UNTRACED static double time_switches(void) {
  static char stack[4096];
  struct klp_fiber *fiber = klp_fiber_create(stack, sizeof stack);
  if (!fiber)
    give_up("a fiber cannot be registered");
  const double start = now_ns();
  for (int i = 0; i < kCalls / 2; i++) {
    klp_fiber_start_switch(fiber);
    klp_fiber_finish_switch();
    klp_fiber_start_switch(NULL);
    klp_fiber_finish_switch();
  }
  const double took = (now_ns() - start) / kCalls;
  klp_fiber_destroy(fiber);
  return took;
}

UNTRACED static void *stay_inside(void *unused) {
  for (;;)
    stay();
  return unused;
}

int main(int count, char **arguments) {
  static struct samples plain = {.name = "plain"}, patched = {.name = "patched"};
  static struct samples threads = {.name = "threads"}, switches = {.name = "switches"};
  const int rounds = count > 1 ? atoi(arguments[1]) : 20;
  for (int i = 0; i < rounds; i++) {
    add_sample(&plain, time_calls());
    change(klp_enable_patch);
    add_sample(&patched, time_calls());
    change(klp_disable_patch);
    add_sample(&switches, time_switches());
  }
  pthread_attr_t small;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, 64 << 10);
  for (int i = 0; i < kThreads; i++) {
    pthread_t thread;
    if (pthread_create(&thread, &small, stay_inside, NULL))
      give_up("thread %d cannot be started", i);
  }
  sleep_ms(200);
  for (int i = 0; i < rounds; i++) {
    add_sample(&threads, change(klp_enable_patch));
    add_sample(&threads, change(klp_disable_patch));
  }
  print_samples(&plain);
  print_samples(&patched);
  print_samples(&switches);
  print_samples(&threads);
  fflush(stdout);
  _exit(0); // threads are still in stay()
}
