// A program of gcc's is traced: each call is an event, from its caller.
// REQUIRES: gcc, lld
// RUN: %gcc -pg -mfentry -fcf-protection=full -c %s -o %t.o && %recordmcount %t.o && %clang -fuse-ld=lld %tables %t.o -o %t
// RUN: %nophook record -p function -o %t.data -- %t && %nophook report %t.data | FileCheck %s
// CHECK: main <-
// CHECK: middle <-main
// CHECK: leaf <-middle
// CHECK: leaf <-middle
// CHECK-NOT: <-
__attribute__((noipa)) static int leaf(int a) { return a + 1; }
__attribute__((noipa)) static int middle(int a) { return leaf(a) + leaf(a + 1); }
int main(void) { return middle(1) - 5; }
