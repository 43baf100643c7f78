// record --set NAME=VALUE, and what report makes of it: depth, ends of long calls, stacks, repeats, a counter as clock.
// RUN: %traced_cxx -fno-omit-frame-pointer %s -o %t
// RUN: %nophook record -S max_graph_depth=2 --set set_graph_function=outer -o %t.data -- %t && %nophook report %t.data | FileCheck %s --check-prefix=DEPTH
// RUN: %nophook record -S tracing_thresh=1000 -o %t.data -- %t && %nophook report %t.data | FileCheck %s --check-prefix=THRESH
// RUN: %nophook report --json %t.data | FileCheck %s --check-prefix=JSON
// RUN: %exits 2 %nophook record -p function -l leaf -S 'trace_options=func_stack_trace trace_clock=counter' -S trace_clock=counter -o %t.data -- %t 2>&1 | FileCheck %s --check-prefix=WRONG
// RUN: %nophook record -p function -l leaf -S trace_options=func_stack_trace -S trace_clock=counter -o %t.data -- %t && %nophook report %t.data | FileCheck %s --check-prefix=STACK
// RUN: %nophook record -p function -S trace_options=func-no-repeats -o %t.data -- %t && %nophook report %t.data | FileCheck %s --check-prefix=REPEATS
// RUN: %nophook record -S 'set_ftrace_filter=outer leaf:stacktrace:1' -o %t.data -- %t && %nophook report %t.data | FileCheck %s --check-prefix=TRIGGER
// RUN: %exits 2 %nophook record -S buffer_dir=/ true 2>&1 | FileCheck %s --check-prefix=OWN
#include <unistd.h>
extern "C" {
__attribute__((noinline)) void leaf(int n) { asm volatile("" : : "r"(n) : "memory"); }
__attribute__((noinline)) void outer(void) {
  for (int i = 0; i < 5; i++)
    leaf(i);
  usleep(5000);
}
}
int main() { outer(), leaf(9); }
// DEPTH: {{\|  }}outer() {
// DEPTH-COUNT-5: {{\|    }}leaf();
// DEPTH-NEXT: {{\|  }}}
// DEPTH-NOT: leaf
// THRESH-NOT: {{\{}}
// THRESH: us {{ *\|    }}} /* outer */
// THRESH: us {{ *\|  }}} /* main */
// JSON: {"kind":"exit",{{.*}}"function":"outer","depth":1,"duration_ns":{{[0-9]{7,}.*}}"returned":true}
// WRONG: nophook: record: --set trace_options=func_stack_trace,trace_clock=counter: unknown option; these are settings: event-fork function-fork
// STACK: .....{{ +}}1: leaf <-outer
// STACK-NEXT: .....{{ +}}2: <stack trace>
// STACK-NEXT: {{^}} => leaf
// STACK-NEXT: {{^}} => outer
// STACK-NEXT: {{^}} => main
// REPEATS: : leaf <-outer
// REPEATS-NEXT: : leaf <-outer (repeats: 4, last_ts: {{ *[0-9]+\.[0-9]+}})
// REPEATS-NEXT: : leaf <-main
// TRIGGER: outer() {
// TRIGGER-NEXT: /* <stack trace> */
// TRIGGER-NEXT: {{^}} => leaf
// TRIGGER-NEXT: {{^}} => outer
// OWN: nophook: record: --set buffer_dir=/: NAME=VALUE is expected
