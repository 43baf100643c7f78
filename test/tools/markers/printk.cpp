// The program's own words stand between its calls in the order of time, with every tracer, from C++ and from signal handlers; newlines and control characters do not break a line.
// RUN: %traced_cxx -I%include %s -o %t
// RUN: %nophook record -o %t.data -- %t && %nophook report %t.data | FileCheck %s --check-prefix=GRAPH
// RUN: %nophook record -p function -o %t.data -- %t && %nophook report %t.data | FileCheck %s --check-prefix=FUNCTION
// RUN: %nophook record -p nop -o %t.data -- %t 2> %t.err && %nophook report %t.data | FileCheck %s --check-prefix=NOP
// RUN: %nophook report --json %t.data | FileCheck %s --check-prefix=JSON
// RUN: FileCheck %s --check-prefix=SAID < %t.err
// RUN: %t | FileCheck %s --check-prefix=UNTRACED
#include <cassert>
#include <csignal>
#include <trace_marker.h>
__attribute__((noinline)) int work(int n) {
  trace_printk("%d of %.1f%c items\n", n, 2.5, 'k');
  return n + 1;
}
static notrace void on_signal(int) { trace_marker_write("in a handler", 12); }
int main() {
  struct { int number; char text[3]; } raw = {7, {'a', 'b', 'c'}};
  long taken = trace_marker_write("two\nlines\n", 10);
  printf("%ld\n", taken);
  assert(work(1) == 2);
  signal(SIGUSR1, on_signal);
  raise(SIGUSR1);
  taken = trace_marker_raw_write(&raw, 7);
  assert(taken == 7 || taken == -ENODEV);
  assert(trace_marker_raw_write(&raw, 3) < 0);
  trace_puts("the end");
}
// GRAPH: main() {
// GRAPH-NEXT: {{^ [0-9]\) +\|    }}/* two?lines */
// GRAPH-NEXT: work() {
// GRAPH-NEXT: {{^ [0-9]\) +\|      }}/* 1 of 2.5k items */
// GRAPH-NEXT: }
// GRAPH-NEXT: /* in a handler */
// GRAPH-NEXT: /* # 7 buf: 61 62 63 */
// GRAPH-NEXT: /* the end */
// FUNCTION: main <-
// FUNCTION-NEXT: : tracing_mark_write: two?lines
// FUNCTION-NEXT: work <-main
// FUNCTION-NEXT: : work: 1 of 2.5k items
// FUNCTION-NEXT: tracing_mark_write: in a handler
// FUNCTION-NEXT: : # 7 buf: 61 62 63
// FUNCTION-NEXT: : main: the end
// NOP: # tracer: nop
// NOP: entries-in-buffer/entries-written: 5/5
// NOP: tracing_mark_write: two?lines
// NOP: : main: the end
// JSON: {"kind":"mark",{{.*}}"text":"two?lines"}
// JSON: "function":"work","text":"1 of 2.5k items"}
// JSON: "number":7,"text":"# 7 buf: 61 62 63"}
// SAID: nophook: 5 events of 0 functions in 1 thread, 0 events lost
// UNTRACED: -19
