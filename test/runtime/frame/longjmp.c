// longjmp across five traced frames returns to setjmp; the frames end without exits.
// RUN: %traced_cc -O0 %s -o %t && %alike --must leaper -- %t
// RUN: %traced_cc -O2 %s -o %t && %alike --must leaper -- %t
// RUN: %show --tree %t.buf.function_graph | FileCheck %s
#include "program.h"
#include <setjmp.h>

static jmp_buf target;
NOINLINE static void leaper(int value) { longjmp(target, value); }
NOINLINE static int dive(int depth, int value) {
  if (depth == 0) {
    leaper(value);
    return 0;
  }
  int below = dive(depth - 1, value);
  KEEP(&below);
  return below + 1;
}
NOINLINE static int attempt(int value) {
  volatile int kept = value;
  int got = setjmp(target);
  if (!got)
    dive(4, value);
  return got == value && kept == value;
}

int main(void) {
  for (int i = 1; i <= 1000; i++)
    EXPECT(attempt(i));
  return failures;
}
// CHECK: 1001 returned, 0 tail calls, 6000 unwound, 0 orphans
// CHECK:      attempt {
// CHECK-COUNT-5: dive {
// CHECK:      leaper {
// CHECK-NEXT: } unwound leaper
// CHECK-COUNT-5: } unwound dive
// CHECK-NEXT: } attempt
