// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program with 1,000,000 functions (million_functions.S): finding names among them, and opening
// and closing them all, alone and with 2, 16 and 1,000 threads that call them.
//
//      million [ROUNDS]

#include "support.h"

#include <ftrace.h>

#include <sched.h>

enum { kFunctions = 1000000, kMostThreads = 1000, kLap = 1000, kCounts = 3 };
static const int kThreadCounts[kCounts] = {2, 16, kMostThreads};
extern void (*const __start_mcount_loc[])(void);

static struct samples find_all = {.name = "find_all"}, find_some = {.name = "find_some"};
static struct samples on = {.name = "on"}, off = {.name = "off"};
static struct samples on_threads[kCounts] = {
    {.name = "on_2"}, {.name = "on_16"}, {.name = "on_1000"}};
static struct samples off_threads[kCounts] = {
    {.name = "off_2"}, {.name = "off_16"}, {.name = "off_1000"}};
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

// Whether the threads must end. Each begins at another function, calls some, and leaves the
// processor to the others.
static int over;
UNTRACED static void *run(void *first_function) {
  for (long i = (long)first_function; !__atomic_load_n(&over, __ATOMIC_RELAXED); sched_yield())
    for (int end = kLap; end; end--)
      __start_mcount_loc[i++ % kFunctions]();
  return NULL;
}

UNTRACED static void switch_under_threads(int which, int rounds) {
  static pthread_t threads[kMostThreads];
  const int count = kThreadCounts[which];
  pthread_attr_t small;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, 64 << 10);
  __atomic_store_n(&over, 0, __ATOMIC_RELAXED);
  for (long i = 0; i < count; i++)
    check(-pthread_create(&threads[i], &small, run, (void *)(i * (kFunctions / kMostThreads))));
  for (int i = 0; i < rounds; i++)
    switch_all(&on_threads[which], &off_threads[which]);
  __atomic_store_n(&over, 1, __ATOMIC_RELAXED);
  for (int i = 0; i < count; i++)
    pthread_join(threads[i], NULL);
}

UNTRACED int main(int argc, char **argv) {
  static struct samples ignored;
  int rounds = argc > 1 ? atoi(argv[1]) : 5;
  measure_floor();
  switch_all(&first, &ignored);
  for (int i = 0; i < rounds; i++) {
    find("*", &find_all);
    find("*a*b*", &find_some);
    switch_all(&on, &off);
  }
  for (int i = 0; i < kCounts; i++)
    switch_under_threads(i, rounds);
  struct samples *samples[] = {&find_all, &find_some, &on, &off, &first, &write_text};
  for (unsigned i = 0; i < sizeof samples / sizeof samples[0]; i++)
    print_samples(samples[i]);
  for (int i = 0; i < kCounts; i++)
    print_samples(&on_threads[i]), print_samples(&off_threads[i]);
  return 0;
}
