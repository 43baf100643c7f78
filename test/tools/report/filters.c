// Filters of a report show what a recording made with them would have: roots, hidden calls, depth, and all of them at once.
// RUN: %traced_cc %s -o %t && %nophook record -o %t.data -- %t
// RUN: %nophook report -O nofuncgraph-duration -O nofuncgraph-cpu --function second %t.data | FileCheck %s --check-prefix=ROOT --match-full-lines --strict-whitespace
// RUN: %nophook report -O nofuncgraph-duration -O nofuncgraph-cpu --notrace "sec*" %t.data | FileCheck %s --check-prefix=HIDDEN --match-full-lines --strict-whitespace
// RUN: %nophook report -O nofuncgraph-duration -O nofuncgraph-cpu --depth 2 %t.data | FileCheck %s --check-prefix=DEPTH --match-full-lines --strict-whitespace
// RUN: %nophook report -O nofuncgraph-duration -O nofuncgraph-cpu --depth 2 --function first --function third --notrace leaf %t.data | FileCheck %s --check-prefix=ALL --match-full-lines --strict-whitespace
// RUN: %nophook report -O nofuncgraph-duration -O nofuncgraph-cpu --function first --hide second --hide "th*" %t.data | FileCheck %s --check-prefix=HIDE --match-full-lines --strict-whitespace
// RUN: %nophook report --json %t.data > %t.all && %nophook report --json --only filters.c %t.data | diff %t.all - && %exits 1 %nophook report --only ilters.c %t.data
// RUN: %exits 1 %nophook report --function nothing --json %t.data 2>&1 | FileCheck %s --check-prefix=NONE --implicit-check-not=kind
// RUN: %nophook report --json --function second %t.data | FileCheck %s --check-prefix=JSON
#define NOINLINE __attribute__((noinline))
NOINLINE int leaf(int n) { asm volatile("" : "+r"(n)); return n; }
NOINLINE int third(int n) { return leaf(n) + leaf(n); }
NOINLINE int second(int n) { return third(n) + leaf(n); }
NOINLINE int first(int n) { return second(n) + leaf(n); }
int main(void) { return first(0) + third(0); }
//      ROOT:second() {
// ROOT-NEXT:  third() {
// ROOT-NEXT:    leaf();
// ROOT-NEXT:    leaf();
// ROOT-NEXT:  }
// ROOT-NEXT:  leaf();
// ROOT-NEXT:}
//  ROOT-NOT:{{.}}
//      HIDDEN:main() {
// HIDDEN-NEXT:  first() {
// HIDDEN-NEXT:    leaf();
// HIDDEN-NEXT:  }
// HIDDEN-NEXT:  third() {
//      HIDE:first() {
// HIDE-NEXT:  leaf();
// HIDE-NEXT:  leaf();
// HIDE-NEXT:  leaf();
// HIDE-NEXT:  leaf();
// HIDE-NEXT:}
//  HIDE-NOT:{{.}}
//      DEPTH:main() {
// DEPTH-NEXT:  first() {
// DEPTH-NEXT:  }
// DEPTH-NEXT:  third() {
// DEPTH-NEXT:  }
// DEPTH-NEXT:}
//  DEPTH-NOT:{{.}}
//      ALL:first() {
// ALL-NEXT:  second() {
// ALL-NEXT:  }
// ALL-NEXT:}
// ALL-NEXT:third() {
// ALL-NEXT:}
//  ALL-NOT:{{.}}
// NONE: nophook: {{.*}}no call of 'nothing' was recorded
// JSON: {"kind":"entry",{{.*}}"function":"second","depth":0}
// JSON-NEXT: "function":"third","depth":1}
// JSON-COUNT-2: {"kind":"call",{{.*}}"function":"leaf","depth":2
