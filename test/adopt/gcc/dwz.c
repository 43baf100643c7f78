// dwz changes no arguments, results and lines of gcc's programs; inlined functions are found, or the file to which dwz -m has moved them is named.
// REQUIRES: dwz
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s it.c && cp %s more.c
// RUN: bash -ec 'for v in 4 5; do %cc -O1 -g -gdwarf-$v -DMORE -c more.c -o more.o; %cc -O1 -g -gdwarf-$v it.c more.o -o it; dwz it; cp it two; %nophook record --args --retval -o data -- ./it; %nophook report --srcline data; %nophook why small it; dwz -m common it two; %nophook record --args --retval -o data -- ./it; %nophook report --srcline data; ! %nophook why small it; done' 2>&1 | FileCheck %s
// CHECK: leaf(at={x=1, y=2}, text="one"); /* ret=3 it.c:[[#@LINE+23]] */
// CHECK: inlined in 3 places, where it has no events: leaf, main, more
// CHECK: leaf(at={x=1, y=2}, text="one"); /* ret=3 it.c:[[#@LINE+21]] */
// CHECK: nophook: it: has no function 'small'; its debug info is in part in common (dwz -m), which is not read
// CHECK: leaf(at={x=1, y=2}, text="one"); /* ret=3 it.c:[[#@LINE+19]] */
// CHECK: inlined in 3 places, where it has no events: leaf, main, more
// CHECK: leaf(at={x=1, y=2}, text="one"); /* ret=3 it.c:[[#@LINE+17]] */
// CHECK: nophook: it: has no function 'small'; its debug info is in part in common (dwz -m), which is not read
struct place { int x, y; };
struct longer_name_of_a_structure { struct place first, second; struct longer_name_of_a_structure *next; };
static inline __attribute__((always_inline)) int small(int n) { return n * 3; }
extern struct longer_name_of_a_structure places;
int more(int n);
#ifdef MORE
struct longer_name_of_a_structure places = {{1, 2}, {3, 4}, 0};
int more(int n) { return small(n); }
#else
// Two units have the same types, which dwz makes one.
//
//
//
//
//
__attribute__((noinline)) int leaf(struct place at, const char *text) { __asm__ volatile(""); return small(at.x) + !text; }
int main(void) { return leaf(places.first, "one") - small(places.first.x) + more(0); }
#endif
