// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For programs that count their turns in a file (attaching.py), and end with their standard input.

#pragma once

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static unsigned long *g_turns;

static void open_turns(const char *path) {
  g_turns = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, open(path, O_RDWR), 0);
}

__attribute__((noinline)) static void turn(void) {
  __atomic_fetch_add(g_turns, 1, __ATOMIC_RELAXED);
}

static inline int has_input_ended(void) {
  struct pollfd input = {0, POLLIN, 0};
  return poll(&input, 1, 0) > 0 && input.revents & POLLHUP;
}

// The program aborts: a call has had another result than without us.
#define MUST(condition)                                                                            \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      fprintf(stderr, "line %d: %s (errno %d)\n", __LINE__, #condition, errno);                    \
      abort();                                                                                     \
    }                                                                                              \
  } while (0)
