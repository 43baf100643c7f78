// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cost of a call into a library: labs() through its slot and a function of the program that
// does the same, untraced, with calls asked for and no site open, and under function_graph.
//
//      library_calls [ROUNDS]
//
// The kinds take turns in one process, as in events.c. `direct` comes first: no slot has been
// touched by then.

#include "support.h"

#include <tracefs.h>

enum { kCalls = 300000 };

NOINLINE long own(long n) {
  __asm__ volatile("" : "+r"(n));
  return n < 0 ? -n : n;
}

UNTRACED static double loop_own(void) {
  const double start = now_ns();
  for (long i = 0; i < kCalls; i++)
    own(i);
  return (now_ns() - start) / kCalls;
}

UNTRACED static double loop_library(void) {
  const double start = now_ns();
  for (long i = 0; i < kCalls; i++)
    __asm__ volatile("" : : "r"(labs(i))); // compiled with -fno-builtin
  return (now_ns() - start) / kCalls;
}

UNTRACED static void set(const char *file, const char *text) {
  const int error = tracefs_write(file, text, strlen(text), 0);
  if (error)
    give_up("%s: %s", file, strerror(-error));
}

static struct samples all[] = {{.name = "own/direct"}, {.name = "library/direct"},
                               {.name = "own/idle"},   {.name = "library/idle"},
                               {.name = "own/graph"},  {.name = "library/graph"}};

UNTRACED static void measure(int at) {
  drain_buffer();
  add_sample(&all[at], loop_own());
  drain_buffer();
  add_sample(&all[at + 1], loop_library());
  drain_buffer();
}

UNTRACED int main(int count, char **words) {
  const int rounds = count > 1 ? atoi(words[1]) : 31;
  set("current_tracer", "function_graph");
  set("current_tracer", "nop");
  map_buffer();
  for (int i = 0; i < rounds; i++) {
    set("calls", "0");
    measure(0);
    set("calls", "1");
    measure(2);
    set("set_ftrace_filter", "own labs");
    set("current_tracer", "function_graph");
    measure(4);
    set("current_tracer", "nop");
  }
  for (unsigned i = 0; i < sizeof all / sizeof *all; i++)
    print_samples(&all[i]);
  return 0;
}
