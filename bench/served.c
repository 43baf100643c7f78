// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program with 50,000 functions that serves its control tree, and obeys lines of its standard
// input:
//
//      leaf N     N calls of a function: nanoseconds a call
//      busy N     the same of processor time: what others on the cores do does not count
//      rdtsc N    N times the floor of an event with a time stamp
//      glob GLOB  writes it to set_ftrace_filter: milliseconds

#include "support.h"

#include <tracefs.h>
#include <x86intrin.h>

NOINLINE void leaf(void) {
  __asm__ volatile("");
}

UNTRACED static double processor_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

UNTRACED static double loop_leaf(long calls, double (*now)(void)) {
  double start = now();
  for (long i = 0; i < calls; i++)
    leaf();
  return (now() - start) / (double)calls;
}

UNTRACED static double loop_rdtsc(long calls) {
  uint64_t sum = 0;
  double start = now_ns();
  for (long i = 0; i < calls; i++)
    sum += __rdtsc();
  double end = now_ns();
  __asm__ volatile("" : : "r"(sum));
  return (end - start) / (double)calls;
}

UNTRACED static double set_filter(const char *glob) {
  double start = now_ns();
  int error = tracefs_write("set_ftrace_filter", glob, strlen(glob), 0);
  if (error)
    give_up("set_ftrace_filter: %s", strerror(-error));
  return (now_ns() - start) / 1e6;
}

UNTRACED int main(void) {
  char word[16], what[64];
  while (scanf("%15s %63s", word, what) == 2) {
    double result = strcmp(word, "leaf") == 0    ? loop_leaf(atol(what), now_ns)
                    : strcmp(word, "busy") == 0  ? loop_leaf(atol(what), processor_ns)
                    : strcmp(word, "rdtsc") == 0 ? loop_rdtsc(atol(what))
                                                 : set_filter(what);
    printf("%.6f\n", result);
    fflush(stdout);
  }
}
