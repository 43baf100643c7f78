// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program with static calls: functions whose arguments lie wherever arguments can lie, and what
// the tests of this folder look at.

#pragma once

#include "text.h"

#include <ftrace.h>
#include <stdint.h>

#define KEPT __attribute__((noipa))

KEPT static long one(long a) { return a + 1; }
KEPT static double mixed(double x, int a, float y) { return x + a + (double)y; }
KEPT static long many(long a, long b, long c, long d, long e, long f, long g, long h) {
  return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h;
}
KEPT static long variadic(int n, ...) {
  __builtin_va_list list;
  __builtin_va_start(list, n);
  long sum = 0;
  while (n--)
    sum += (long)__builtin_va_arg(list, double);
  __builtin_va_end(list);
  return sum;
}
enum { kFunctions = 4 };

// Calls each once and checks that it got its arguments.
UNTRACED static void call_all(void) {
  EXPECT_EQ(one(41), 42);
  EXPECT(mixed(0.5, 2, 0.25f) == 2.75);
  EXPECT_EQ(many(1, 2, 3, 4, 5, 6, 7, 8), 204);
  EXPECT_EQ(variadic(9, 1., 2., 3., 4., 5., 6., 7., 8., 9.), 45);
}

static long hits;
UNTRACED static void count_hit(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops, struct ftrace_regs *regs) {
  (void)ip, (void)parent_ip, (void)ops, (void)regs;
  hits++;
}

// Where the call or jump at a site goes; null if there is neither.
UNTRACED static inline char *target_of(const char *site) {
  int32_t distance;
#ifdef __x86_64__
  memcpy(&distance, site + 1, 4);
  return site[0] == (char)0xe8 ? (char *)site + 5 + distance : NULL;
#else
  memcpy(&distance, site, 4);
  return (distance & 0x7c000000) == 0x14000000 ? (char *)site + (int32_t)((uint32_t)distance << 6) / 16 : NULL;
#endif
}
