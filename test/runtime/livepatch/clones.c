// A body that the compiler has made of a patched function for some callers stays the old one, and the log names it.
// RUN: %traced_cc -O1 %s -o %t %linked && env NOPHOOK=log=stderr %t 2>&1 | FileCheck %s
// CHECK-NOT: run the old code
// CHECK: livepatch: 'program': copied: callers of copied.constprop.0, which the compiler has made of it, run the old code
// CHECK: livepatch: 'program': cut: callers of cut.part.1, which the compiler has made of it, run the old code
// CHECK-NOT: run the old code
// CHECK: done 0
#include "klp.h"
#define NAMED(name) __asm__(name)
NOINLINE int copied(int n) { KEEP(&n); return n; }
int copied_for_one(void) NAMED("copied.constprop.0");
NOINLINE int copied_for_one(void) { int n = 1; KEEP(&n); return n; }
NOINLINE int cut(int n) { KEEP(&n); return n; }
int rest(int n) NAMED("cut.part.1");
NOINLINE int rest(int n) { KEEP(&n); return n; }
NOINLINE int whole(int n) { KEEP(&n); return n; }
int other(int n) NAMED("whole2.constprop.0");
NOINLINE int other(int n) { KEEP(&n); return n; }
NOINLINE int new_version(int n) { n = 10; KEEP(&n); return n; }
NOINLINE int new_cut(int n) { n = 10; KEEP(&n); return n; }
NOINLINE int new_whole(int n) { n = 10; KEEP(&n); return n; }
PATCH(patch, FUNC(copied, new_version), FUNC(cut, new_cut), FUNC(whole, new_whole));
UNTRACED int main(void) {
  enable_and_wait(&patch);
  EXPECT_EQ(copied(1), 10);
  EXPECT_EQ(copied_for_one(), 1);
  EXPECT_EQ(rest(1) + other(1), 2);
  disable_and_wait(&patch);
  printf("done %d\n", failures);
  return failures;
}
