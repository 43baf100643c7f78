// NOPHOOK= makes instances before main, and writes their control files in the order of the words; a wrong word is named. instances/NAME/FILE=VALUE is a write to that file.
// RUN: %traced_cc -O1 %s -o %t %linked && rm -rf %t.buf && mkdir %t.buf
// RUN: env NOPHOOK="buffer_dir=%t.buf current_tracer=nop trace_instance=plain instances/foo/set_ftrace_filter=leaf,other,none*:traceoff instances/foo/trace_clock=boot instances/foo/set_latency_function=slow instances/foo/current_tracer=function instances/deep/max_graph_depth=1 instances/deep/current_tracer=function_graph instances/foo/colour=red instances/foo/tracing_thresh=soon trace_instance=a/b" %t
// RUN: %show --python 'sorted(b.path.split("@")[1] for b in buffers if "@" in b.path) == ["deep.buf", "foo.buf", "plain.buf"]' %t.buf
// RUN: %nophook report %t.buf/*@foo.buf | FileCheck %s --check-prefix=FOO
// RUN: %nophook report %t.buf/*@deep.buf | FileCheck %s --check-prefix=DEEP
// RUN: %show %t.buf | FileCheck %s --check-prefix=LOG
// FOO:     leaf <-outer
// FOO-NOT: outer <-
// DEEP:     outer();
// DEEP-NOT: leaf
// LOG-DAG: instances/foo/colour=red: there is no such control file
// LOG-DAG: instances/foo/tracing_thresh=soon: a number
// LOG-DAG: trace_instance=a/b:
// LOG-DAG: log: instances/foo/set_ftrace_filter: no function matches 'other'
// LOG-DAG: log: instances/foo/set_ftrace_filter: no function matches 'none*'
// LOG-DAG: log: instances/foo/set_latency_function: no function matches 'slow'
// RUN: %show --python 'sorted((b.path.split("@")[1], b.clock != 0) for b in buffers if "@foo" in b.path or "@deep" in b.path) == [("deep.buf", False), ("foo.buf", True)]' %t.buf
// RUN: rm -rf %t.buf && mkdir %t.buf && env NOPHOOK="serve buffer_dir=%t.buf trace_instance=plain" %t
// RUN: %nophook record -p function -o %t.data -S instances/foo/current_tracer=function -- %t && %nophook report %t.data | FileCheck %s --check-prefix=RECORDED
// RECORDED: leaf <-outer
#include "ops.h"

NOINLINE int leaf(int value) {
  KEEP(value);
  return value + 1;
}
NOINLINE void outer(int value) { KEEP(leaf(value)); }

UNTRACED int main(void) {
  outer(1);
  return 0;
}
