// A recursion of 50,000 frames moves the stack base again and again; every call is matched.
// RUN: %traced_cc -O0 %s -o %t && %alike --must down -- %t
// RUN: %show %t.buf.function_graph | FileCheck %s
// RUN: %show --python 'buffers[0].rings[0].controls["stack"] > 50' %t.buf.function_graph
#include "program.h"

NOINLINE static long down(int n) { return n ? down(n - 1) + 1 : 0; }

int main(void) {
  EXPECT_EQ(down(50000), 50000);
  return failures;
}
// CHECK: 50002 returned, 0 tail calls, 0 unwound, 0 orphans, 0 open
