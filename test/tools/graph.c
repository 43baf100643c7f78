// record and report: the call graph of a program, whose own output and exit status are kept.
// RUN: %traced_cc %s -o %t
// RUN: %exits 7 %nophook record -p function_graph -o %t.data -- %t hello > %t.out 2> %t.err
// RUN: FileCheck %s --check-prefix=OUT --match-full-lines < %t.out
// RUN: FileCheck %s --check-prefix=ERR --match-full-lines < %t.err
// RUN: %nophook report %t.data | FileCheck %s --check-prefix=GRAPH --match-full-lines --strict-whitespace
// RUN: %nophook report --top=2 %t.data | FileCheck %s --check-prefix=TOP
// RUN: %nophook report --top --json %t.data | %python -c "import json, sys; times = [json.loads(line)['self_ns'] for line in sys.stdin]; assert len(times) == 3 and times == sorted(times, reverse=True), times"
#include <stdio.h>
#define NOINLINE __attribute__((noinline))
NOINLINE int leaf(int n) { asm volatile("" : "+r"(n)); return n; }
NOINLINE int outer(int n) { return leaf(n) + leaf(n); }
int main(int count, char **arguments) {
  puts(arguments[1]);
  return outer(count) + 3;
}
// OUT: hello
// OUT-NOT: {{.}}
// ERR: nophook: 8 events of 3 functions in 1 thread, 0 events lost, 0.0 MiB in {{.*}}graph.c.tmp.data
// ERR-NOT: {{.}}
//      GRAPH:# tracer: function_graph
// GRAPH-NEXT:#
// GRAPH-NEXT:# CPU  DURATION                  FUNCTION CALLS
// GRAPH-NEXT:# |     |   |                     |   |   |   |
// GRAPH-NEXT: {{[0-9]}})               |  main() {
// GRAPH-NEXT: {{[0-9]}})               |    outer() {
// GRAPH-NEXT: {{[0-9]}}) {{[ +!#*@$]}} {{[0-9.]+ us +}}|      leaf();
// GRAPH-NEXT: {{[0-9]}}) {{[ +!#*@$]}} {{[0-9.]+ us +}}|      leaf();
// GRAPH-NEXT: {{[0-9]}}) {{[ +!#*@$]}} {{[0-9.]+ us +}}|    }
// GRAPH-NEXT: {{[0-9]}}) {{[ +!#*@$]}} {{[0-9.]+ us +}}|  }
// TOP: Self Self % Total Hits Function
// TOP-COUNT-2: s {{.*}} {{1 main|1 outer|2 leaf}}
// TOP-NOT: {{.}}
