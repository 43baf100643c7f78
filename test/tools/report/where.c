// --where keeps the times of the calls that it chooses, and calls outside of them have no line, no hit and no depth; a value that a function does not use compares as shown.
// RUN: %traced_cc %s -o %t && %nophook record --args -o %t.data -- %t && %nophook record -p function --args -o %t.pairs -- %t
// RUN: %nophook report --where 'outer.n == 2' %t.data | FileCheck %s --match-full-lines --check-prefix=GRAPH
// RUN: %nophook report --where 'outer.n == 2' --by function --sort function --fields hits %t.data | FileCheck %s --match-full-lines --check-prefix=HITS
// RUN: %nophook report --where 'inner.n > 20' %t.pairs | FileCheck %s --check-prefix=PAIRS --implicit-check-not="outer("
// RUN: %exits 1 %nophook report --where 'outer.n == 2' -- %t.none 2>&1 | FileCheck %s --check-prefix=NONE
__attribute__((noinline)) int inner(int n) { __asm__ volatile("" : "+r"(n)); return n; }
__attribute__((noinline)) int outer(int n) { return inner(10 * n) + inner(10 * n + 1); }
int main(void) { return outer(1) + outer(2) + outer(3) + inner(5) == 0; }
// GRAPH: {{.*}} | outer(n=2) {
// GRAPH-NEXT: {{.* us +}}| inner(n=20);
// GRAPH-NEXT: {{.* us +}}| inner(n=21);
// GRAPH-NEXT: {{.* us +}}| }
// GRAPH-NOT: {{.}}
// HITS: {{ +Hits  Function}}
// HITS-NEXT: {{ +2  inner}}
// HITS-NEXT: {{ +1  outer}}
// HITS-NOT: {{.}}
// PAIRS: inner(n=21)
// PAIRS-NEXT: inner(n=30)
// PAIRS-NEXT: inner(n=31)
// PAIRS-NOT: inner
// NONE: No such file
