// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Helpers that the traced programs of the tests share: functions that the optimizer keeps as they
// are written, and expectations that print where they fail. C and C++.

#pragma once

#include <stdio.h>

#define NOINLINE __attribute__((noinline))
#define UNTRACED __attribute__((no_instrument_function, unused))

// Makes the optimizer assume that memory and `x` are used and changed here.
#define KEEP(x) __asm__ volatile("" : : "r"(x) : "memory")

static int failures;

#define EXPECT(condition)                                                                          \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      failures++;                                                                                  \
      printf("%s:%d: not true: %s\n", __FILE__, __LINE__, #condition);                             \
    }                                                                                              \
  } while (0)

// Compares `actual` and `wanted` as long.
#define EXPECT_EQ(actual, wanted)                                                                  \
  do {                                                                                             \
    long actual_ = (long)(actual), wanted_ = (long)(wanted);                                       \
    if (actual_ != wanted_) {                                                                      \
      failures++;                                                                                  \
      printf("%s:%d: %s is %ld, not %ld\n", __FILE__, __LINE__, #actual, actual_, wanted_);        \
    }                                                                                              \
  } while (0)
