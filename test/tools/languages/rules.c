// Rules, triggers and marks mean the same for C as for C++: roots, excluded functions, stacks, samples, rates, marks, the slowest call.
// RUN: %traced_cc -fno-omit-frame-pointer -fno-optimize-sibling-calls -I%include %s -o %t
// RUN: %nophook record -S set_graph_function=outer -S set_graph_notrace=hid* -o %t.data -- %t && %nophook report --top %t.data | FileCheck %s --check-prefix=ROOTS --implicit-check-not=main --implicit-check-not=hid
// RUN: %nophook record -p function -l leaf -S trace_options=func_stack_trace -o %t.data -- %t && %nophook report %t.data | FileCheck %s --check-prefix=STACK
// RUN: %nophook record -S 'set_ftrace_filter=outer leaf:stacktrace:1' -o %t.data -- %t && %nophook report %t.data | FileCheck %s --check-prefix=TRIGGER
// RUN: %nophook record -S 'set_ftrace_filter=leaf leaf:sample:10' -o %t.data -- %t 2>&1 | FileCheck %s --check-prefix=SAMPLE
// RUN: %nophook record -p function -S 'set_ftrace_filter=leaf leaf:ratelimit:5/s' -S trace_clock=boot -o %t.data -- %t && %nophook report --json %t.data > %t.json
// RUN: %python -c "import collections, json; c = collections.Counter(e['time_ns'] // 10**9 for e in map(json.loads, open('%t.json')) if e['kind'] == 'function'); assert 0 < max(c.values()) <= 6, c"
// RUN: %nophook record -p function -S auto_notrace=100 -l leaf -o %t.data -- %t 2>&1 | FileCheck %s --check-prefix=AUTO
// RUN: %nophook report --top --json %t.data | %python -c "import json, sys; (leaf,) = map(json.loads, sys.stdin); assert leaf['function'] == 'leaf' and 0 < leaf['hits'] < 109, leaf"
// RUN: rm -f %t.data* && %nophook record --overwrite -S 'set_ftrace_filter=leaf hidden:dump:1' -o %t.data -- %t 2>&1 | FileCheck %s --check-prefix=DUMP
// RUN: %nophook record -o %t.data -- %t && %nophook latency --trace outer --to mark:end* %t.data | FileCheck %s --check-prefix=LATENCY
// RUN: %nophook report --function hidden --srcline %t.data | FileCheck %s --check-prefix=LINE
#include <trace_marker.h>
#define SEEN __attribute__((noinline))
SEEN static void leaf(int n) { __asm__ volatile("" : : "r"(n) : "memory"); }
SEEN static void hidden(void) { leaf(-1); __asm__ volatile(""); }
SEEN static void outer(int n) {
  for (int i = 0; i < n; i++)
    leaf(i);
  hidden();
  trace_printk("end %d", n);
}
int main(void) {
  leaf(0);
  outer(100);
  outer(7);
}
// ROOTS-DAG: {{ 2 +}}outer{{$}}
// ROOTS-DAG: {{ 107 +}}leaf{{$}}
// STACK: : leaf <-outer
// STACK-NEXT: <stack trace>
// STACK-NEXT: {{^}} => leaf
// STACK-NEXT: {{^}} => outer
// STACK-NEXT: {{^}} => main
// TRIGGER: /* <stack trace> */
// TRIGGER-NEXT: {{^}} => leaf
// TRIGGER-NEXT: {{^}} => main
// TRIGGER-NOT: stack trace
// TRIGGER: outer() {
// TRIGGER-NEXT: /* end 100 */
// 110 calls, of which 11, and two marks
// SAMPLE: nophook: 24 events of 1 function
// AUTO: auto_notrace: leaf is called more than 100 times a second
// DUMP: the trace so far is in
// DUMP: nophook: 202 events of a snapshot in
// LATENCY: the longest of 2
// LATENCY-NEXT: outer() {
// LATENCY: hidden() {
// LATENCY: /* end {{100|7}} */
// LINE: hidden() { /* rules.c:17 */
// LINE-NEXT: leaf(); /* rules.c:16 */
