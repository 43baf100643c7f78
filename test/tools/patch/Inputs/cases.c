// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One source with many possible changes; compare.py makes one at a time.
#include <stdlib.h>
#include <string.h>

#ifdef MORE_LINES


#endif
#ifdef NEW_STRING_BEFORE // which renumbers the labels of all others
const char *other_greeting(void) { return "good evening"; }
#endif
#ifdef CHANGED_STRING
#define GREETING "hello"
#else
#define GREETING "hallo"
#endif
__attribute__((noinline)) const char *greeting(void) { return GREETING; }

// A jump table, or a table of values: the compiler chooses.
#ifdef CHANGED_TABLE
#define FOURTH 40
#else
#define FOURTH 4
#endif
__attribute__((noinline)) int choose(int n) {
  switch (n) {
  case 0: return 1;
  case 1: return 17;
  case 2: return 3;
  case 3: return FOURTH;
  case 4: return 90;
  case 5: return 6;
  default: return 0;
  }
}
__attribute__((noinline)) double scaled(double x) {
#ifdef CHANGED_CONSTANT
  return x * 2.5;
#else
  return x * 1.5;
#endif
}

static const int kPrimes[] = {2, 3, 5, 7, 11, 13,
#ifdef CHANGED_STATIC_TABLE
                              19
#else
                              17
#endif
};
__attribute__((noinline)) int prime(unsigned n) { return kPrimes[n % 7]; }
__attribute__((noinline)) int prime_too(unsigned n) { return kPrimes[(n + 3) % 7]; }
#ifdef CHANGED_GLOBAL_TABLE
const int kPublic[] = {1, 2, 4};
#else
const int kPublic[] = {1, 2, 3};
#endif

#ifdef CHANGED_VALUE
int level = 4;
#else
int level = 3;
#endif
#ifdef CHANGED_SIZE
struct { int a, b, c; } state;
#else
struct { int a, b; } state;
#endif
#ifdef NEW_THREAD_LOCAL
__thread int mine;
#define MINE (mine++)
#else
#define MINE 0
#endif
static int counted;
#ifdef NEW_VARIABLE
static int counted_too;
#define COUNT_TOO (counted_too++)
#else
#define COUNT_TOO 0
#endif
__attribute__((noinline)) int next_number(void) { return ++counted + COUNT_TOO + MINE; }

static int once(void) {
  static int number;
  return number++;
}
static int twice(void) {
  static int number;
  return number += 2;
}
#ifdef NEW_STATIC_OF_A_NAME
static int thrice(void) {
  static int number;
  return number += 3;
}
#else
static int thrice(void) { return 3; }
#endif
__attribute__((noinline)) int numbers(void) { return once() + twice() + thrice(); }

// Static, and inlined: its callers have changed.
static inline int limit(int n) {
#ifdef CHANGED_INLINE
  return n > 90 ? 90 : n;
#else
  return n > 99 ? 99 : n;
#endif
}
__attribute__((noinline)) int limited(int n) { return limit(n) + 1; }
__attribute__((noinline)) int limited_sum(int a, int b) { return limit(a) + limit(b); }

#ifdef NEW_FUNCTION
__attribute__((noinline)) static int helper(int n) {
  __asm__ volatile("");
  return n / 3;
}
#define HELPED(n) helper(n)
#else
#define HELPED(n) (n)
#endif
__attribute__((noinline)) int helped(int n) { return HELPED(n) + 1; }
#ifndef REMOVED_FUNCTION
int old_helper(int n) { return n; }
#endif
#ifdef NOW_GLOBAL
int next_state(void);
#else
static
#endif
__attribute__((noinline, used)) int next_state(void) { return ++state.a; }
#ifdef NEW_CONSTRUCTOR
__attribute__((constructor)) static void prepare(void) { level += getenv("LEVEL") != 0; }
#endif
