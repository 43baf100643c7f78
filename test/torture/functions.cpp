// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The traced functions. noinline and the empty asm keep each call a call.

#include "functions.h"

#include <cstdarg>
#include <stdexcept>

constinit thread_local long bodies;
long library_bodies[4];

// Not each result shows what was passed.
#define BODY(x)                                                                                    \
  do {                                                                                             \
    __asm__ volatile("" : "+r"(x) : : "memory");                                                   \
    COUNT(bodies);                                                                                 \
    if ((unsigned long)(x) > kLargestArgument)                                                     \
      wrong_argument(__func__, (long)(x));                                                         \
  } while (0)

extern "C" {
__attribute__((noinline)) long leaf(long a) {
  BODY(a);
  return a + 1;
}

__attribute__((noinline)) long recursive(long depth) {
  BODY(depth);
  long below = depth ? recursive(depth - 1) : 0;
  __asm__ volatile("" : "+r"(below));
  return below + 1;
}

__attribute__((noinline)) long around(long depth, long (*inside)()) {
  BODY(depth);
  long below = depth ? around(depth - 1, inside) : inside();
  __asm__ volatile("" : "+r"(below));
  return below + 1;
}

__attribute__((noinline)) long stack_arguments(long a, long b, long c, long d, long e, long f,
                                               long g, long h, long i) {
  BODY(a);
  return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i;
}

__attribute__((noinline)) double doubles(double a, float b, int c) {
  BODY(c);
  return a + (double)b + c;
}

__attribute__((noinline)) long variadic(int count, ...) {
  BODY(count);
  va_list list;
  va_start(list, count);
  long sum = 0;
  while (count--)
    sum += va_arg(list, long);
  va_end(list);
  return sum;
}

static long tail_other(long rounds);
__attribute__((noinline)) long tail_call(long rounds) {
  BODY(rounds);
  if (rounds == 0)
    return 7;
  __attribute__((musttail)) return tail_other(rounds - 1);
}
__attribute__((noinline)) static long tail_other(long rounds) {
  BODY(rounds);
  if (rounds == 0)
    return 7;
  __attribute__((musttail)) return tail_call(rounds - 1);
}

__attribute__((noinline)) long thrower(long depth) {
  BODY(depth);
  if (depth == 0)
    throw std::runtime_error("thrown");
  long result = thrower(depth - 1);
  __asm__ volatile("" : "+r"(result));
  return result;
}

__attribute__((noinline)) void jumper(jmp_buf *back, long depth) {
  BODY(depth);
  if (depth == 0)
    longjmp(*back, 1);
  jumper(back, depth - 1);
  __asm__ volatile("" ::: "memory");
}

__attribute__((noinline)) void in_handler() {
  long a = 0;
  BODY(a);
}

__attribute__((noinline)) long redirected(long a) {
  BODY(a);
  return a + 1;
}
__attribute__((noinline)) long replacement(long a) {
  BODY(a);
  return a + 1000;
}
__attribute__((noinline)) long modified(long a) {
  BODY(a);
  return a + 1;
}
__attribute__((noinline)) long unwatched(long a) {
  __asm__ volatile("" : "+r"(a) : : "memory");
  return a + 1;
}
__attribute__((noinline)) long direct(long a) {
  BODY(a);
  return a + 1;
}
}
