// A function that returns twice is recorded by its entry and returns twice when traced.
// RUN: %traced_cc -O0 %s -o %t && %alike --must mark -- %t
// RUN: %traced_cc -O2 %s -o %t && %alike --must mark -- %t
// RUN: %show --count %t.buf.function_graph | FileCheck %s
#include "program.h"

static void *saved[5];
// Saves its caller's frame and returns 0; back_to_mark() makes it return 1. Written with
// the compiler's own setjmp, so that it is a plain function with a site.
__attribute__((returns_twice, noinline)) int mark(void **frame);
int mark(void **frame) {
  frame[0] = __builtin_frame_address(0);
  return 0;
}
NOINLINE static void back(void) { __builtin_longjmp(saved, 1); }
NOINLINE static int twice(int n) {
  volatile int rounds = 0;
  void *frame[1];
  mark(frame);
  KEEP(frame);
  if (__builtin_setjmp(saved) == 0)
    rounds = 0;
  rounds = rounds + 1;
  if (rounds < n)
    back();
  return rounds;
}

int main(void) {
  EXPECT_EQ(twice(5), 5);
  return failures;
}
// CHECK: back: 4 entry
// CHECK: mark: 1 only
// CHECK: twice: 1 entry, 1 exit
