// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parts that tests of the control tree share: a shell's `echo TEXT > FILE` and `cat FILE`.

#pragma once

#include "ops.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <tracefs.h>

// echo 'text' > path, and >>.
UNTRACED static int echo(const char *text, const char *path, int append) {
  char line[4096];
  int bytes = snprintf(line, sizeof line, "%s\n", text);
  return tracefs_write(path, line, (size_t)bytes, append);
}

// The whole text, or what went wrong. The caller's until the next call.
UNTRACED static const char *cat(const char *path) {
  static char text[65536];
  long bytes = tracefs_read(path, text, sizeof text - 1);
  if (bytes < 0)
    snprintf(text, sizeof text, "error %ld", -bytes);
  else
    text[bytes < (long)sizeof text ? bytes : (long)sizeof text - 1] = 0;
  return text;
}

#define EXPECT_TEXT(path, expected)                                                                \
  do {                                                                                             \
    const char *read_ = cat(path);                                                                 \
    EXPECT(strcmp(read_, expected) == 0);                                                          \
    if (strcmp(read_, expected) != 0)                                                              \
      fprintf(stderr, "%s:%d: %s has:\n%s", __FILE__, __LINE__, path, read_);                      \
  } while (0)
