// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A library that is loaded and unloaded, of several. It counts in the program's variables: they
// outlive it.

#include "functions.h"

static void body() {
  COUNT(bodies);
  COUNT(library_bodies[NUMBER]);
}

extern "C" __attribute__((noinline)) long in_library(long a) {
  __asm__ volatile("" : "+r"(a) : : "memory");
  body();
  return a + 1;
}

__attribute__((constructor)) static void in_constructor() {
  body();
}
__attribute__((destructor)) static void in_destructor() {
  body();
}
