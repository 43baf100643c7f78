// export --format trace.dat: KernelShark's library reads the calls of both tracers and the program's marks, each once, in their order.
// REQUIRES: kernelshark
// RUN: %traced_cc -I%include %s -o %t && %nophook record -p function -l 't*k' -o %t.data -- %t && %nophook export %t.data --format trace.dat -o %t.dat
// RUN: %python %S/Inputs/kernelshark.py %t.dat | FileCheck %s --check-prefix=FUNCTION
// RUN: %nophook record -l 't*k' -o %t.data -- %t && %nophook export %t.data --format trace.dat -o %t.dat
// RUN: %python %S/Inputs/kernelshark.py %t.dat | FileCheck %s --check-prefix=GRAPH
// RUN: %nophook export %t.data --format trace.dat --uncompressed -o %t.6.dat && %python %S/Inputs/kernelshark.py %t.6.dat | FileCheck %s --check-prefix=GRAPH
// FUNCTION:      ftrace/function tock <-- main
// FUNCTION-NEXT: ftrace/function tick <-- tock
// FUNCTION-NEXT: ftrace/print {{.*}}between
// FUNCTION-NEXT: ftrace/function tock <-- main
// FUNCTION-NEXT: ftrace/function tick <-- tock
// FUNCTION-NEXT: {{^}}5 events
// GRAPH:      ftrace/funcgraph_entry | tock() {
// GRAPH-NEXT: ftrace/funcgraph_entry {{([-+!#*@$] )?[0-9.]+}} us | tick();
// GRAPH-NEXT: ftrace/funcgraph_exit {{([-+!#*@$] )?[0-9.]+}} us | }
// GRAPH-NEXT: ftrace/funcgraph_exit {{([-+!#*@$] )?[0-9.]+}} us | }
// GRAPH-NEXT: ftrace/print {{.*}}between
// GRAPH:      {{^}}9 events
#include <trace_marker.h>
__attribute__((noinline)) static void tick(void) { __asm__ volatile(""); }
__attribute__((noinline)) static void tock(void) {
  tick();
  __asm__ volatile("");
}
int main(void) {
  tock();
  trace_printk("between\n");
  tock();
}
