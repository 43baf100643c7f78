// `record --function` is -g of trace-cmd and -F of uftrace: these functions and the calls inside them, as for report; only function_graph knows what is inside.
// RUN: %traced_cc %s -o %t
// RUN: %nophook record -g outer -o %t.data -- %t && %nophook report --by function --fields hits --sort function %t.data | FileCheck %s --match-full-lines
// RUN: %nophook record -F 'out*' -o %t.data -- %t && %nophook report --by function --fields hits --sort function %t.data | FileCheck %s --match-full-lines
// RUN: %nophook record --function outer --graph main -o %t.data -- %t && %nophook report --json --top %t.data | count 3
// RUN: %exits 2 %nophook record -g wrok -o %t.data -- %t 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: %exits 2 %nophook record -p function -g outer -- %t 2>&1 | FileCheck %s --check-prefix=TRACER
// RUN: %nophook live -g outer --show graph -- %t | FileCheck %s --check-prefix=LIVE --implicit-check-not=main
__attribute__((noinline)) int inner(int n) { __asm__ volatile("" : "+r"(n)); return n; }
__attribute__((noinline)) int outer(int n) { return inner(n) + inner(n + 1); }
int main(void) { return outer(1) + inner(5) == 0; }
// CHECK: {{ +Hits  Function}}
// CHECK-NEXT: {{ +2  inner}}
// CHECK-NEXT: {{ +1  outer}}
// CHECK-NOT: {{.}}
// NONE: nophook: record: set_graph_function 'wrok' matches no function
// TRACER: nophook: record: --graph is for function_graph: function has no callees
// LIVE: outer
// LIVE: inner
