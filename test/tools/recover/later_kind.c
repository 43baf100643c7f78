// Events of a kind that a later version writes are passed over, counted, and said at the end: the calls around them are read as ever.
// RUN: %traced_cc -I%S/../../../include %s -o %t && rm -rf %t.run && mkdir %t.run
// RUN: env XDG_RUNTIME_DIR=%t.run LD_PRELOAD=%lib/libnophook.so NOPHOOK=current_tracer=function_graph %t
// RUN: %python %S/Inputs/rename_marks.py %t.run/nophook 99
// RUN: %nophook report %t.run/nophook > %t.out 2> %t.err && FileCheck %s < %t.out && FileCheck %s --check-prefix=SAID < %t.err
// RUN: sh -c '%nophook report --top %t.run/nophook > %t.out 2> %t.err' && FileCheck %s --check-prefix=SAID < %t.err
// RUN: %nophook recover -o %t.data %t.run/nophook && %nophook report %t.data 2>&1 >%t.out | FileCheck %s --check-prefix=SAID
// CHECK: main() {
// CHECK-NEXT: work();
// CHECK-NEXT: work();
// CHECK-NEXT: work();
// CHECK-NEXT: }
// SAID: nophook: {{.*}}: 2 events of kinds that a later version writes are skipped: read it with that version
// SAID-NOT: damaged
#include <trace_marker.h>
static __attribute__((noinline)) void work(void) { __asm__ volatile(""); }
int main(void) {
  work();
  trace_puts("a mark with some words of payload");
  work();
  trace_puts("another one");
  work();
}
