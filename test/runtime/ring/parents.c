// An event of the function tracer names its caller, through tail calls and pointers, too.
// RUN: %traced_cc -O1 %s -o %t
// RUN: %trace -p function -- %t
// RUN: %show --tree %t.buf | FileCheck %s
#include "program.h"

NOINLINE void leaf(void) { KEEP(0); }
NOINLINE void forward(void) { __attribute__((musttail)) return leaf(); }
NOINLINE long on_stack(long a, long b, long c, long d, long e, long f, long g) {
  leaf();
  return a + b + c + d + e + f + g;
}
void (*volatile pointer)(void) = leaf;
NOINLINE void caller(void) {
  leaf();
  forward();
  pointer();
  EXPECT_EQ(on_stack(1, 2, 3, 4, 5, 6, 7), 28);
}
int main(void) {
  caller();
  return failures;
}
// CHECK:      main <- ?
// CHECK-NEXT: caller <- main
// CHECK-NEXT: leaf <- caller
// CHECK-NEXT: forward <- caller
// CHECK-NEXT: leaf <- caller
// CHECK-NEXT: leaf <- caller
// CHECK-NEXT: on_stack <- caller
// CHECK-NEXT: leaf <- on_stack
