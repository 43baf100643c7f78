// A jump out of frames that are so large that each moved the stack base leaves the right calls
// open: the exits that follow are those of the frames that were kept.
// RUN: %traced_cc -O0 %s -o %t && %t
// RUN: %trace -l down -- %t
// RUN: %show --tree %t.buf | FileCheck %s
#include "program.h"
#include <setjmp.h>

static jmp_buf target;
static int returned;
NOINLINE static void down(int n) {
  volatile char large[80000];
  KEEP(large);
  if (n == 3 && setjmp(target))
    return;
  if (n == 10)
    longjmp(target, 1);
  down(n + 1);
  returned++;
}
int main(void) {
  down(1);
  EXPECT_EQ(returned, 2);
  return failures;
}
// CHECK: 3 returned, 0 tail calls, 7 unwound, 0 orphans, 0 open
// CHECK-COUNT-10: down {
// CHECK-COUNT-7: } unwound down
// CHECK-COUNT-3: } down
