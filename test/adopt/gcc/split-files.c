// Lines of what gcc compiles with -gsplit-dwarf are shown; inlined functions are found in its .dwo or .dwp file, and a missing file is named.
// REQUIRES: dwp
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s it.c
// RUN: bash -ec 'for v in 4 5; do %cc -O1 -g -gdwarf-$v -gsplit-dwarf -c it.c -o it.o; %cc it.o -o it; %nophook why small it; test $v = 5 || dwp -e it -o it.dwp; test $v = 5 || rm it.dwo; %nophook why small it; rm it.dw?; %nophook record -o data -- ./it; %nophook report --srcline data; ! %nophook why small it; done' > out 2>&1 && FileCheck %s < out
// CHECK-COUNT-2: inlined in 2 places, where it has no events: leaf, main
// CHECK: leaf({{.*}}); /* it.c:[[#@LINE+8]] */
// CHECK: nophook: it: has no function 'small'; its debug info is in it.dwo, which is missing
// CHECK-COUNT-2: inlined in 2 places, where it has no events: leaf, main
// CHECK: leaf({{.*}}); /* it.c:[[#@LINE+5]] */
// CHECK: nophook: it: has no function 'small'; its debug info is in it.dwo, which is missing
// CHECK-NOT: {{.}}
static inline __attribute__((always_inline)) int small(int n) { return n * 3; }
volatile int one = 1;
__attribute__((noinline)) int leaf(int n) { __asm__ volatile(""); return small(n); }
int main(void) { return leaf(one) - small(one); }
