// The deepest stack of each thread is shown as in the kernel's stack_trace: calls from the innermost on, what their frames take, without our own; a limit's crossing is reported.
// RUN: %traced_cc %s -o %t && %nophook record -o %t.data -- %t && %nophook stack %t.data | FileCheck %s
// RUN: %nophook stack --by-thread %t.data | FileCheck %s --check-prefix=EACH
// RUN: %exits 1 %nophook stack --limit 4096 %t.data | FileCheck %s --check-prefix=LIMIT
// RUN: %nophook stack --limit 100000 --json %t.data | FileCheck %s --check-prefix=JSON
// RUN: %exits 1 %nophook stack --limit 4096 --json %t.data | %python -c "import json, sys; print(*map(json.loads, sys.stdin), sep='\n')" | FileCheck %s --check-prefix=BEYOND
// RUN: %exits 2 %nophook stack --limit -1 %t.data 2>&1 | FileCheck %s --check-prefix=NUMBER
// RUN: %nophook record -p function -o %t.data -- %t && %exits 1 %nophook stack %t.data 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: %nophook record -p profile -o %t.data -- %t && %exits 1 %nophook stack %t.data 2>&1 | FileCheck %s --check-prefix=NONE
#include <pthread.h>
#include <string.h>
#define SEEN __attribute__((noinline))
#define FRAME(bytes) char frame[bytes]; memset(frame, 1, sizeof frame); __asm__ volatile("" : : "r"(frame) : "memory")
SEEN static int leaf(void) { __asm__ volatile(""); return 0; }
SEEN static int big(void) { FRAME(8192); return leaf() + frame[1]; }
SEEN static int middle(void) { FRAME(1024); return big() + frame[1]; }
SEEN static int flat(void) { FRAME(2048); return leaf() + frame[1]; }
static void *other(void *unused) { flat(); return unused; }
int main(void) {
  pthread_t thread;
  middle();
  flat();
  pthread_create(&thread, 0, other, 0);
  return pthread_join(thread, 0);
}
// CHECK: # deepest.c.tmp-{{[0-9]+}}: {{9[0-9][0-9][0-9]}} bytes below its outermost call
// CHECK-NEXT: Depth Size Location (4 entries)
// CHECK-NEXT: ----- ---- --------
// CHECK-NEXT: 0) {{9[0-9][0-9][0-9]}} 8 leaf
// CHECK-NEXT: 1) {{9[0-9][0-9][0-9]}} {{82[0-9][0-9]}} big
// CHECK-NEXT: 2) {{1[0-9][0-9][0-9]}} {{10[3-9][0-9]}} middle
// CHECK-NEXT: 3) {{[1-9][0-9]}} {{[1-9][0-9]}} main
// CHECK-NOT: {{.}}
// EACH: (4 entries)
// EACH: {{2[0-9][0-9][0-9]}} bytes below its outermost call
// EACH: 0) {{2[0-9][0-9][0-9]}} 8 leaf
// EACH-NEXT: 1) {{2[0-9][0-9][0-9]}} {{20[5-9][0-9]}} flat
// LIMIT: # {{[0-9.]+}}: deepest.c.tmp-{{[0-9]+}} enters leaf with {{9[0-9][0-9][0-9]}} bytes: beyond 4096
// LIMIT-NEXT: # deepest
// JSON: "bytes":{{9[0-9][0-9][0-9]}},{{.*}}"calls":[{"function":"main","depth":0},{"function":"middle"
// NONE: was not recorded by function_graph
// BEYOND: 'beyond': 4096, 'bytes': {{9[0-9][0-9][0-9]}}, 'time_ns': {{[0-9]+}}, 'function': 'leaf'}
// BEYOND-NEXT: 'calls': [{'function': 'main', 'depth': 0}, {'function': 'middle'
// NUMBER: --limit: -1 is less than 0
