// latency shows first how long the calls take and where the time of the slowest went; the events come on demand, and options that change nothing are refused.
// RUN: %traced_cxx -I%include %s -o %t && %nophook record -o %t.data -- %t
// RUN: %nophook latency request %t.data | FileCheck %s --match-full-lines --implicit-check-not=quick
// RUN: %nophook latency --top 1 --depth 1 request %t.data | FileCheck %s --check-prefix=SHORT --match-full-lines
// RUN: %nophook latency mark:begin --to mark:end %t.data | FileCheck %s --check-prefix=MARKS --match-full-lines
// RUN: %nophook latency --json request %t.data > %t.json && %python %S/Inputs/summary.py %nophook %t.data %t.json request
// RUN: %nophook latency --trace --depth 2 request %t.data | FileCheck %s --check-prefix=DEPTH --implicit-check-not=pause_for
// RUN: %exits 2 %nophook latency --all-threads request %t.data 2>&1 | FileCheck %s --check-prefix=ALL
// RUN: %exits 2 %nophook latency --all-threads --trace --depth 1 request %t.data 2>&1 | FileCheck %s --check-prefix=OWN
// RUN: %exits 2 %nophook latency --top 3 --trace request %t.data 2>&1 | FileCheck %s --check-prefix=TOP
#include <time.h>
#include <trace_marker.h>
#define SEEN __attribute__((noinline))
SEEN static void pause_for(long ms) {
  timespec pause = {0, ms * 1000000};
  nanosleep(&pause, nullptr);
}
SEEN static void look_up(int n) { pause_for(n == 3 ? 1 : 0); }
SEEN static void quick(int n) { asm volatile("" : "+r"(n)); }
SEEN static void request(int n) {
  if (n == 3) {
    for (int i = 0; i < 300; i++)
      look_up(n);
  } else {
    quick(n);
  }
}
int main() {
  for (int i = 0; i < 5; i++) {
    trace_puts(i == 1 ? "begin" : "other");
    request(i);
  }
  trace_puts("end");
}
// CHECK: # latency: {{[0-9.]+ (ms|s)}}, summary.cpp.tmp-{{[0-9]+ at [0-9.]+}}, the longest of 5 (average {{[0-9.]+ ms}})
// CHECK-NEXT: # p50 {{[0-9.]+ .*}}, p90 {{[0-9.]+ .*}}, p99 {{[0-9.]+ .*}}, max {{[0-9.]+ (ms|s)}}
// CHECK-EMPTY:
// CHECK-NEXT: {{ +From +To +Times}}
// CHECK: {{ +[0-9.]+ m?s +[0-9.]+ m?s +1  #+}}
// CHECK-EMPTY:
// CHECK-NEXT: {{ +Time % +Total +Calls +Path in the longest}}
// CHECK-NEXT: {{ +100.0% .* 1  request}}
// CHECK-NEXT: {{ +[0-9.]+% .* 300    look_up}}
// CHECK-NEXT: {{ +[0-9.]+% .* 300      pause_for}}
// CHECK-EMPTY:
// CHECK-NEXT: {{ +Self % +Self +Total +Calls +Functions in the longest}}
// CHECK-NEXT: {{ +[0-9.]+% .* 300  pause_for}}
// SHORT: {{ +Time % +Total +Calls +Path in the longest}}
// SHORT-NEXT: {{ +100.0% .* 1  request}}
// SHORT-EMPTY:
// SHORT-NEXT: {{ +Self % .*}}
// SHORT-NEXT: {{.* 300  pause_for}}
// SHORT-NOT: {{.}}
// MARKS: # latency: {{.*}}, the longest of 1 (average {{.*}})
// MARKS: {{ +Time % +Total +Calls +Path in the longest}}
// MARKS-NEXT: {{ +[0-9.]+% .* 4  request}}
// MARKS-NEXT: {{ +[0-9.]+% .* 300    look_up}}
// DEPTH: # latency:
// DEPTH-NEXT: request() {
// DEPTH-NEXT: look_up() {
// DEPTH-NEXT: }
// DEPTH-NEXT: look_up() {
// ALL: nophook: latency: --all-threads: is for the events: add --trace
// OWN: nophook: latency: --depth: is of the thread itself
// TOP: nophook: latency: --top: is for the summary
