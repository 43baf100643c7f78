// One selection means the same to every verb that reads: report, export, script, graph, stack, live and diff show the same calls of it; hidden frames leave their callees to their callers.
// RUN: %traced_cxx %s -o %t && %nophook record --args -o %t.data -- %t 2>/dev/null && cp %t.data %t.other
// RUN: %python %S/Inputs/one_selection.py %nophook %t.data %t
// RUN: %nophook report -O nofuncgraph-duration -O nofuncgraph-cpu -H wrap %t.data | FileCheck %s --check-prefix=HIDE --match-full-lines --strict-whitespace
// RUN: %nophook graph --json -H wrap main %t.data | FileCheck %s --check-prefix=GRAPH
// RUN: %nophook stack --json -H wrap -H leaf %t.data | FileCheck %s --check-prefix=STACK
// RUN: %nophook export --format folded -H wrap %t.data | FileCheck %s --check-prefix=FOLDED --implicit-check-not=wrap
// RUN: %nophook latency work --hide wrap --trace %t.data | FileCheck %s --check-prefix=TRACE --implicit-check-not=wrap
// RUN: %nophook report --only one_selection.cpp --top %t.data | FileCheck %s --check-prefix=ONLY
// RUN: %exits 1 %nophook report --only none.c %t.data 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: %exits 1 %nophook stack --function none %t.data 2>&1 | FileCheck %s --check-prefix=NO-FUNCTION
// RUN: %exits 2 %nophook stack --min-duration 1us %t.data && %exits 2 %nophook export --uprobes --hide wrap %t
// RUN: %exits 2 %nophook latency work --to leaf -t 1us %t.data 2>&1 | FileCheck %s --check-prefix=TO
// RUN: %exits 2 %nophook live --follow --hide wrap -- %t 2>&1 | FileCheck %s --check-prefix=FOLLOW
// RUN: %nophook live --follow --notrace wrap -- %t 2>/dev/null | FileCheck %s --check-prefix=FOLLOWED --implicit-check-not=wrap
#define NOINLINE extern "C" __attribute__((noinline))
NOINLINE int leaf(int n) { asm volatile("" : "+r"(n)); return n; }
NOINLINE int wrap(int n) { return leaf(n) + 1; }
NOINLINE int work(int n) { return wrap(n) + wrap(n + 1) + leaf(n); }
int main() { return work(1) + work(2) == 0; }
//      HIDE:main() {
// HIDE-NEXT:  work(n=1) {
// HIDE-NEXT:    leaf(n=1);
// HIDE-NEXT:    leaf(n=2);
// HIDE-NEXT:    leaf(n=1);
// HIDE-NEXT:  }
// HIDE-NEXT:  work(n=2) {
// GRAPH: {"function":"main","depth":0,"calls":1,
// GRAPH: {"function":"work","depth":1,"calls":2,
// GRAPH: {"function":"leaf","depth":2,"calls":6,
// GRAPH-NOT: function
// STACK: "calls":[{"function":"main","depth":0},{"function":"work","depth":{{[0-9]+}}}]}
// FOLDED-DAG: main;work {{[0-9]+$}}
// FOLDED-DAG: main;work;leaf {{[0-9]+$}}
// TRACE: work(n={{[12]}}) {
// TRACE-NEXT: |{{ +}}leaf(
// ONLY-DAG: 4 wrap
// ONLY-DAG: 1 main
// NONE: nophook: {{.*}}.data: no call of a function in 'none.c' was recorded
// NO-FUNCTION: nophook: {{.*}}.data: no call of 'none' was recorded
// TO: nophook: latency: --min-duration: is for calls: leave out --to
// FOLLOW: nophook: live: --hide: is for what is shown at the end: leave out --follow
// FOLLOWED: leaf
