// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether a thread of the program waits for a grace period.

#pragma once

#include "program.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

// Whether the thread sleeps in nanosleep(2), as the runtime does between two looks. Below qemu the
// kernel shows a call of x86-64.
UNTRACED static _Bool is_napping(int thread) {
  char text[64] = "";
  snprintf(text, sizeof text, "/proc/self/task/%d/syscall", thread);
  const int file = open(text, O_RDONLY);
  const long bytes = read(file, text, sizeof text - 1);
  close(file);
  text[bytes > 0 ? bytes : 0] = 0;
  const long call = bytes > 0 ? strtol(text, NULL, 10) : -1; // "running" is 0, which is another call
  return call == SYS_nanosleep || call == SYS_clock_nanosleep || (getenv("NOPHOOK_ON_QEMU") && (call == 35 || call == 230));
}
