// The profiler counts all calls of its functions whatever else is to choose them, and says so; another clock than the CPU's counter is refused.
// RUN: %traced_cc %s -o %t
// RUN: %nophook record -p profile -S tracing_on=0 -o %t.data -- %t 2>&1 | FileCheck %s
// RUN: %nophook record -p profile -S set_ftrace_pid=1 -o %t.data -- %t 2>&1 | FileCheck %s
// RUN: %nophook record -p profile -S tracing_cpumask=0 -o %t.data -- %t 2>&1 | FileCheck %s
// RUN: %nophook record -p profile -S auto_notrace=1 -o %t.data -- %t 2>&1 | FileCheck %s
// RUN: %nophook record -p profile -S max_graph_depth=1 -o %t.data -- %t 2>&1 | FileCheck %s
// RUN: %nophook record -p profile -n main -o %t.data -- %t 2>&1 | FileCheck %s --check-prefix=QUIET --implicit-check-not="counts all"
// RUN: %nophook record -p profile -S trace_clock=boot -o %t.data -- %t 2>&1 | FileCheck %s --check-prefix=CLOCK
// CHECK: the profiler counts all calls of its functions: of the other settings it follows only tracing_thresh
// CHECK: nophook: 6 calls counted
// QUIET: nophook: 5 calls counted
// CLOCK: the profiler's times are of the CPU's counter: it needs trace_clock x86-tsc
// CLOCK-NOT: calls counted
__attribute__((noinline)) static void work(int n) { __asm__ volatile("" : "+r"(n)); }
int main(void) {
  for (int i = 0; i < 5; i++)
    work(i);
}
