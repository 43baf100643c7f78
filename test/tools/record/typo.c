// A filter that matches nothing and a setting that does not exist are refused before the program starts, with the nearest name, and the recording that is there stays.
// RUN: %traced_cc %s -o %t && rm -f %t.ran %t.data %t.data.old && %nophook record -o %t.data -- %t && cp %t.data %t.copy
// RUN: %exits 2 %nophook record -l wrok -o %t.data -- %t %t.ran 2>&1 | FileCheck %s --check-prefix=FILTER
// RUN: %exits 2 %nophook record -l main -l 'w?rx*' -o %t.data -- %t %t.ran 2>&1 | FileCheck %s --check-prefix=GLOB
// RUN: %exits 2 %nophook record -S set_graph_function=main,wrok -o %t.data -- %t %t.ran 2>&1 | FileCheck %s --check-prefix=GRAPH
// RUN: %exits 2 %nophook record -S max_graph_dept=3 -o %t.data -- %t %t.ran 2>&1 | FileCheck %s --check-prefix=SETTING
// RUN: test ! -e %t.ran && cmp %t.data %t.copy && test ! -e %t.data.old
// RUN: %nophook record --force -l wrok -o %t.data -- %t %t.ran 2>&1 | FileCheck %s --check-prefix=FORCE
// The one before a new one is kept.
// RUN: test -e %t.ran && cmp %t.data.old %t.copy
// FILTER: nophook: record: --filter 'wrok' matches no function of {{.*}}typo.c.tmp and its libraries; the nearest: work (--force starts it anyway: a library that it loads or a program that it starts may have one)
// GLOB: nophook: record: --filter 'w?rx*' matches no function
// GRAPH: nophook: record: set_graph_function 'wrok' matches no function
// SETTING: nophook: record: --set max_graph_dept: there is no such setting; the nearest: max_graph_depth
// FORCE: nophook: 0 events
#include <stdio.h>
__attribute__((noinline)) static void work(int n) { asm volatile("" : "+r"(n)); }
int main(int count, char **arguments) {
  work(count);
  return count > 1 && !fopen(arguments[1], "w");
}
