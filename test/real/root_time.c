// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Preloaded, it measures main by a clock that is independent of tracing, and adds a line `NAME NANOSECONDS` to the
// file ROOT_TIME. The time that a busy machine adds before and behind main is no part of it.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef int (*Main)(int, char **, char **);
typedef int (*Start)(Main, int, char **, void (*)(void), void (*)(void), void (*)(void), void *);
static Main timed;

static int main_between_clocks(int count, char **arguments, char **environment) {
  struct timespec begin, end;
  clock_gettime(CLOCK_MONOTONIC, &begin);
  int status = timed(count, arguments, environment);
  clock_gettime(CLOCK_MONOTONIC, &end);
  FILE *file = fopen(getenv("ROOT_TIME"), "a");
  long ns = (end.tv_sec - begin.tv_sec) * 1000000000 + end.tv_nsec - begin.tv_nsec;
  fprintf(file, "%s %ld\n", program_invocation_short_name, ns);
  fclose(file);
  return status;
}

int __libc_start_main(Main main, int count, char **arguments, void (*init)(void), void (*fini)(void),
                      void (*rtld_fini)(void), void *stack_end) {
  timed = main;
  Start start = (Start)dlsym(RTLD_NEXT, "__libc_start_main");
  return start(main_between_clocks, count, arguments, init, fini, rtld_fini, stack_end);
}
