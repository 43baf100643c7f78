// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cost of a filter of 1,000 names for a program with 50,000 functions of C++
// (names_functions.S).
//
//      names [ROUNDS]

#include "support.h"

#include <ftrace.h>

enum { kNames = 1000, kFunctions = 50000 };

static struct samples pass = {.name = "pass"}, linked = {.name = "linked"};
static struct samples typed = {.name = "typed"}, by_glob = {.name = "glob"};
static struct ftrace_ops found;

UNTRACED static void empty(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
                           struct ftrace_regs *regs) {
  (void)ip, (void)parent_ip, (void)ops, (void)regs;
}

// The CPU time of this process: its cost for the program, without that of other processes.
UNTRACED static double cpu_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

// Finds names, which `format` makes of numbers. Each round has other names: the last answers are
// kept.
UNTRACED static void find(const char *format, int names, int round, struct samples *samples) {
  static unsigned char text[kNames * 64];
  int bytes = 0;
  for (int i = 0; i < names; i++)
    bytes += sprintf((char *)text + bytes, format, (i * 49 + round) % kFunctions) + 1;
  for (int i = 0; i < bytes; i++)
    text[i] = text[i] ? text[i] : ' ';
  double start = cpu_ns();
  int error = ftrace_set_filter(&found, text, bytes, 1);
  if (error)
    give_up("%s", strerror(-error));
  add_sample(samples, (cpu_ns() - start) / 1e6);
}

UNTRACED int main(int argc, char **argv) {
  int rounds = argc > 1 ? atoi(argv[1]) : 5;
  found.func = empty;
  for (int i = 0; i < rounds; i++) {
    find("_ZN3app4workILi%dEEEii", 1, i, &pass);
    find("_ZN3app4workILi%dEEEii", kNames, i, &linked);
    find("app::work<%d>", kNames, i, &typed);
    find("app::work<%d>*", 1, i, &by_glob);
  }
  print_samples(&pass);
  print_samples(&linked);
  print_samples(&typed);
  print_samples(&by_glob);
  return 0;
}
