// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program with 1,000,000 functions (million_functions.S): finding names among them, and opening
// and closing them all, alone and with 1,000 threads that run.
//
//      million [ROUNDS]

#include "support.h"

#include <ftrace.h>

#include <sched.h>

enum { kThreads = 1000 };

static struct samples find_all = {.name = "find_all"}, find_some = {.name = "find_some"};
static struct samples on = {.name = "on"}, off = {.name = "off"};
static struct samples on_threads = {.name = "on_threads"}, off_threads = {.name = "off_threads"};
static struct samples first = {.name = "first"}, write_text = {.name = "write_text"};

UNTRACED static void empty(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
                           struct ftrace_regs *regs) {
  (void)ip, (void)parent_ip, (void)ops, (void)regs;
}
static struct ftrace_ops all = {.func = empty,
                                .flags = FTRACE_OPS_FL_RECURSION_SAFE | FTRACE_OPS_FL_GENERAL_REGS};
static struct ftrace_ops found = {.func = empty};

UNTRACED static void check(int error) {
  if (error)
    give_up("%s", strerror(-error));
}
UNTRACED static void find(const char *glob, struct samples *samples) {
  double start = now_ns();
  check(ftrace_set_filter(&found, (const unsigned char *)glob, (int)strlen(glob), 1));
  add_sample(samples, (now_ns() - start) / 1e6);
}
UNTRACED static void switch_all(struct samples *open, struct samples *close) {
  double start = now_ns();
  check(register_ftrace_function(&all));
  double middle = now_ns();
  check(unregister_ftrace_function(&all));
  add_sample(open, (middle - start) / 1e6);
  add_sample(close, (now_ns() - middle) / 1e6);
}
UNTRACED static void measure_floor(void) {
  uint64_t *words =
      mmap(NULL, 16000000, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  for (int round = 0; round < 4; round++) {
    double start = now_ns();
    for (int i = 0; i < 1000000; i++)
      __atomic_store_n(&words[2 * i], (uint64_t)i, __ATOMIC_RELEASE);
    if (round)
      add_sample(&write_text, (now_ns() - start) / 1e6);
  }
  munmap(words, 16000000);
}

static int over;
UNTRACED static void *run(void *unused) {
  while (!__atomic_load_n(&over, __ATOMIC_RELAXED))
    sched_yield();
  return unused;
}

UNTRACED int main(int argc, char **argv) {
  static pthread_t threads[kThreads];
  static struct samples ignored;
  int rounds = argc > 1 ? atoi(argv[1]) : 5;
  measure_floor();
  switch_all(&first, &ignored);
  for (int i = 0; i < rounds; i++) {
    find("*", &find_all);
    find("*a*b*", &find_some);
    switch_all(&on, &off);
  }
  pthread_attr_t small;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, 64 << 10);
  for (int i = 0; i < kThreads; i++)
    check(-pthread_create(&threads[i], &small, run, NULL));
  for (int i = 0; i < rounds; i++)
    switch_all(&on_threads, &off_threads);
  __atomic_store_n(&over, 1, __ATOMIC_RELAXED);
  for (int i = 0; i < kThreads; i++)
    pthread_join(threads[i], NULL);
  struct samples *samples[] = {&find_all, &find_some,  &on,         &off,
                               &first,    &write_text, &on_threads, &off_threads};
  for (unsigned i = 0; i < sizeof samples / sizeof samples[0]; i++)
    print_samples(samples[i]);
  return 0;
}
