// Filters by C++ names, by duration and by time; --min-duration has the lines at the end of calls, as tracing_thresh.
// RUN: %traced_cxx %s -o %t && %nophook record -o %t.data -- %t
// RUN: %nophook report -O nofuncgraph-cpu --min-duration 80ms %t.data | FileCheck %s --check-prefix=LONG --match-full-lines --implicit-check-not=quick
// RUN: %nophook report --json --min-duration 80ms --function "ns::slow(int)" %t.data | FileCheck %s --check-prefix=JSON --implicit-check-not=kind
// RUN: %nophook report --function "ns::*" --top %t.data | FileCheck %s --check-prefix=TOP --implicit-check-not=main --implicit-check-not=other
// RUN: %nophook report -O nofuncgraph-cpu --time +0.05,+50 %t.data | FileCheck %s --check-prefix=LATE
// RUN: %nophook report --json --time +0,+0.05 %t.data | FileCheck %s --check-prefix=EARLY --implicit-check-not=exit
// RUN: %exits 2 %nophook report --time 5x %t.data 2>&1 | FileCheck %s --check-prefix=TIME
// RUN: %exits 2 %nophook report --time 5,1 %t.data 2>&1 | FileCheck %s --check-prefix=REVERSED
// RUN: %exits 1 %nophook report --min-duration 5 %t.data 2>&1 | FileCheck %s --check-prefix=SECONDS
#include <time.h>
namespace ns {
[[gnu::noinline]] void quick(int n) { asm volatile("" : "+r"(n)); }
[[gnu::noinline]] void slow(int n) { quick(n); timespec time = {0, 100000000}; nanosleep(&time, nullptr); }
}
[[gnu::noinline]] void other(int n) { ns::slow(n); ns::quick(n); }
int main() { other(1); }
// LONG: {{[#*@$].*}}|{{ +}}} /* ns::slow */
// LONG-NEXT: {{[#*@$].*}}|{{ +}}} /* other */
// LONG-NEXT: {{[#*@$].*}}|{{ +}}} /* main */
// JSON: {"kind":"exit",{{.*}}"function":"ns::slow","depth":0,
// TOP-DAG: 2 ns::quick
// TOP-DAG: 1 ns::slow
// LATE: DURATION
// LATE-NOT: {
// LATE: } /* ns::slow */
// LATE-NEXT: ns::quick();
// LATE-NEXT: } /* other */
// LATE-NEXT: } /* main */
// EARLY: {"kind":"entry",{{.*}}"function":"main"
// EARLY: {"kind":"call",{{.*}}"function":"ns::quick"
// TIME: nophook: report: --time: '5x' is not FROM,TO: seconds as the trace has them
// REVERSED: nophook: report: --time: '5,1' ends before it begins
// SECONDS: nophook: {{.*}}.data: no selected call took 5
