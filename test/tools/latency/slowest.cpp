// The slowest call of a function, or the longest time between two points of a thread, functions' entries and returns or the program's own marks, is found and shown with what happened in it.
// RUN: %traced_cxx -I%include %s -o %t && %nophook record -o %t.data -- %t
// RUN: %python %S/Inputs/longest.py %nophook %t.data work
// RUN: %python %S/Inputs/longest.py %nophook %t.data 'mark:begin*' mark:end
// RUN: %python %S/Inputs/longest.py %nophook %t.data step%%return work%%return
// RUN: %nophook latency --trace work %t.data | FileCheck %s
// RUN: %nophook latency --trace mark:begin* --to mark:end %t.data | FileCheck %s --check-prefix=MARKS
// RUN: %nophook latency --trace step%%return --to work%%return %t.data | FileCheck %s --check-prefix=RETURNS
// RUN: %nophook latency --trace recursive %t.data | FileCheck %s --check-prefix=RECURSIVE
// RUN: %nophook latency --trace --json work %t.data | FileCheck %s --check-prefix=JSON
// RUN: %exits 1 %nophook latency nowhere %t.data 2>&1 | FileCheck %s --check-prefix=NOWHERE
// RUN: %exits 2 %nophook latency mark:x %t.data 2>&1 | FileCheck %s --check-prefix=USAGE
#include <time.h>
#include <trace_marker.h>
#define SEEN __attribute__((noinline))
SEEN static void wait_for(long us) {
  timespec pause = {0, us * 1000};
  nanosleep(&pause, nullptr);
}
SEEN static void step(long us) { wait_for(us); }
SEEN static int work(int n) {
  trace_printk("begin %d", n);
  step(n == 3 ? 20000 : 100);
  if (n == 4)
    wait_for(10000);
  trace_puts("end");
  return n;
}
SEEN static int recursive(int n) {
  int deeper = n ? recursive(n - 1) : (wait_for(1000), 0);
  __asm__ volatile("" : "+r"(deeper));
  return deeper + 1;
}
int main() {
  for (int i = 0; i < 6; i++)
    work(i);
  recursive(2);
}
// CHECK: # latency: {{[0-9.]+ (us|ms|s)}}, {{.*}} the longest of 6
// CHECK-NEXT: work() {
// CHECK-NEXT: /* begin {{[0-5]}} */
// CHECK-NEXT: step() {
// CHECK-NEXT: wait_for();
// CHECK-NEXT: }
// CHECK: /* end */
// CHECK-NEXT: }
// CHECK-NOT: {{[a-z]}}
// MARKS: # latency: {{[0-9.]+ (us|ms|s)}}, {{.*}} the longest of 6
// MARKS-NEXT: /* begin {{[0-5]}} */
// MARKS: /* end */
// MARKS-NOT: {{[a-z]}}
// RETURNS: # latency: {{[0-9.]+ (us|ms|s)}}, {{.*}} the longest of 6
// RETURNS-NEXT: }
// RETURNS: /* end */
// RETURNS-NEXT: }
// RETURNS-NOT: {{[a-z]}}
// RECURSIVE: the longest of 3
// RECURSIVE-NEXT: recursive() {
// RECURSIVE-NEXT: recursive() {
// RECURSIVE-NEXT: recursive() {
// JSON: {"longest_ns":{{[0-9]+}},"from_ns":{{.*}},"intervals":6,"average_ns":{{.*}},"functions":{{.*}}
// JSON-NEXT: "function":"work"
// NOWHERE: no time from nowhere to its return was recorded
// USAGE: mark:x: name the point where the time ends (--to)
