// latency lists the slowest calls with their arguments, chooses among calls by values, threads and times, and shows any one of the list; an option that is about one time only is refused for the list.
// RUN: %traced_cxx -I%include %s -o %t && %nophook record --args --retval -o %t.data -- %t
// RUN: %nophook latency --slowest 3 request %t.data | FileCheck %s --match-full-lines
// RUN: %nophook latency --slowest 100 --json request %t.data > %t.json && %python %S/Inputs/slowest_list.py %nophook %t.data %t.json request
// RUN: %nophook latency --number 2 --top 1 request %t.data | FileCheck %s --check-prefix=SECOND --match-full-lines
// RUN: %nophook latency --number 3 --trace request %t.data | FileCheck %s --check-prefix=EVENTS
// RUN: %nophook latency --slowest 2 --where 'request.ms < 300' request %t.data | FileCheck %s --check-prefix=WHERE --match-full-lines
// RUN: %nophook latency --slowest 9 --where 'request.return == 1' request %t.data | FileCheck %s --check-prefix=RETURN --match-full-lines
// RUN: %nophook latency --slowest 2 --to mark:end mark:begin %t.data | FileCheck %s --check-prefix=MARKS --match-full-lines
// RUN: %exits 1 %nophook latency --tid 1 request %t.data 2>&1 | FileCheck %s --check-prefix=THREAD
// RUN: %exits 1 %nophook latency --time +1000, request %t.data 2>&1 | FileCheck %s --check-prefix=THREAD
// RUN: %exits 1 %nophook latency --number 6 request %t.data 2>&1 | FileCheck %s --check-prefix=NUMBER
// RUN: %exits 1 %nophook latency --where 'request.ms > 5000' request %t.data 2>&1 | FileCheck %s --check-prefix=NEVER
// RUN: %exits 2 %nophook latency --slowest 3 --trace request %t.data 2>&1 | FileCheck %s --check-prefix=ONE
// RUN: %exits 2 %nophook latency --slowest 3 --number 2 request %t.data 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: %exits 2 %nophook latency --slowest 0 request %t.data 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: %exits 2 %nophook latency --where 'request.s > 5' request %t.data 2>&1 | FileCheck %s --check-prefix=ARGUMENT
#include <time.h>
#include <trace_marker.h>
#define SEEN __attribute__((noinline))
SEEN static void pause_for(long ms) {
  timespec pause = {0, ms * 1000000};
  nanosleep(&pause, nullptr);
}
SEEN int request(int ms, const char *name) {
  asm volatile("" : : "r"(name));
  pause_for(ms);
  return ms == 100;
}
int main() {
  trace_puts("begin");
  request(0, "nothing"); // pauses are so long that a busy machine keeps their order
  request(800, "slow");
  trace_puts("end");
  int quick = request(100, "quick");
  request(400, "middle");
  return request(0, "nothing") + quick - 1;
}
// CHECK: {{ +Number +Time +Begin +Thread +Call}}
// CHECK-NEXT: {{ +1 +[0-9.]+ (ms|s) +[0-9]+\.[0-9]{6} +slowest_list.*-[0-9]+ +}}request(ms=800, name="slow")
// CHECK-NEXT: {{ +2 +[0-9.]+ (ms|s) +[0-9]+\.[0-9]{6} +slowest_list.*-[0-9]+ +}}request(ms=400, name="middle")
// CHECK-NEXT: {{ +3 +[0-9.]+ (ms|s) +[0-9]+\.[0-9]{6} +slowest_list.*-[0-9]+ +}}request(ms=100, name="quick")
// CHECK-NOT: {{.}}
// SECOND: # latency: {{[0-9.]+ (ms|s)}}, slowest_list.{{.*-[0-9]+ at [0-9.]+}}, number 2 of 5 (average {{.*}})
// SECOND: {{ +100.0% .* 1  request}}
// EVENTS: | request(ms=100, name="quick") {
// EVENTS-NEXT: |   pause_for(
// EVENTS-NEXT: | } /* request ret=1 */
// EVENTS-NOT: {{.}}
// WHERE: {{ +Number .*}}
// WHERE-NEXT: {{ +1 .*}}request(ms=100, name="quick")
// WHERE-NEXT: {{ +2 .*}}request(ms=0, name="nothing")
// WHERE-NOT: {{.}}
// RETURN: {{ +Number .*}}
// RETURN-NEXT: {{ +1 .*}}request(ms=100, name="quick")
// RETURN-NOT: {{.}}
// MARKS: {{ +Number +Time +Begin +Thread}}
// MARKS-NEXT: {{ +1 +[0-9.]+ (ms|s) +[0-9]+\.[0-9]{6} +slowest_list.*-[0-9]+}}
// MARKS-NOT: {{.}}
// THREAD: no time from request to its return was recorded
// NUMBER: there is no number 6: 5 such times recorded
// NEVER: no call with 'request.ms > 5000' was recorded
// ONE: nophook: latency: --trace: is about one time: leave out --slowest
// BOTH: nophook: latency: --number: is about one time: leave out --slowest
// NONE: nophook: latency: --slowest: {{.*}}0
// ARGUMENT: nophook: latency: --where: 'request' has no argument 's' (it has: ms, name)
