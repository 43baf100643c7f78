// func_stack_trace: behind each event its return addresses, by frame pointers; stacktrace is the same for one function.
// RUN: %traced_cxx -O1 -fno-omit-frame-pointer -fno-optimize-sibling-calls %s -o %t
// RUN: %trace -p function -l leaf -s trace_options=func_stack_trace -- %t && %show --python '%names[0] == ["leaf", "middle", "outer", "main"] and len(%names) == 3' %t.buf
// RUN: %trace -p function_graph -l outer -s set_ftrace_filter=outer,leaf:stacktrace:2 -- %t && %show --python '%names == [["leaf", "middle", "outer", "main"], ["leaf", "outer", "main"]]' %t.buf
// RUN: %show --count %t.buf | FileCheck %s
// RUN: %traced_cxx -O1 -fomit-frame-pointer %s -o %t
// RUN: %trace -p function -l leaf -s trace_options=func_stack_trace -- %t && %show --python '%names[0][:2] == ["leaf", "middle"]' %t.buf
#include "program.h"
extern "C" {
NOINLINE void leaf(int n) { KEEP(n); }
NOINLINE void middle(void) {
  leaf(1);
  KEEP(0);
}
NOINLINE void outer(void) {
  middle();
  leaf(2);
  KEEP(0);
}
}
int main() {
  outer();
  leaf(3);
  return failures;
}
// CHECK: outer: 1 entry, 1 exit
// CHECK-NOT: leaf:
