// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions that each tool traces: functions.h.

#include "functions.h"

#define NOINLINE __attribute__((noinline))

NOINLINE long leaf(long n) {
  __asm__ volatile("" : "+r"(n));
  return n;
}

NOINLINE long deep(long depth) {
  long below = depth > 1 ? deep(depth - 1) : 0;
  __asm__ volatile("" : "+r"(below)); // keeps it from becoming a loop
  return below + 1;
}

NOINLINE int numbers(int a, long b, const void *c) {
  __asm__ volatile("" : "+r"(a) : "r"(b), "r"(c));
  return a;
}

static NOINLINE void throw_it(int n) {
  throw n;
}

static NOINLINE void pass_it_on(int n) {
  throw_it(n);
  __asm__ volatile("");
}

NOINLINE void thrower(int n) {
  pass_it_on(n);
  __asm__ volatile("");
}
