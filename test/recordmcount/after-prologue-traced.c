// Behind the prologue the caller is found by the frame: each event names the right one.
// REQUIRES: gcc, lld
// RUN: %gcc -pg -c %s -o %t.o && %recordmcount %t.o && %clang -fuse-ld=lld %tables %t.o -o %t
// RUN: %nophook list %t | FileCheck %s --check-prefix=LIST
// RUN: %nophook record -p function -o %t.data -- %t && %nophook report %t.data | FileCheck %s
// LIST-DAG: entry only: site behind the prologue {{.*}}leaf
// CHECK: middle <-main
// CHECK: leaf <-middle
// CHECK: leaf <-middle
__attribute__((noipa)) static int leaf(int a) { return a + 1; }
__attribute__((noipa)) static int middle(int a) { return leaf(a) + leaf(a + 1); }
int main(void) { return middle(1) - 5; }
