// A TIME means the same to every verb: a number with a unit, in which 1500us is 1.5ms; a bare number is refused with what it could mean.
// RUN: %traced_cc %s -o %t && %nophook record -o %t.data -- %t
// RUN: %nophook report --min-duration 1500us %t.data > %t.us && %nophook report --min-duration 1.5ms %t.data | diff %t.us -
// RUN: %nophook report --min-duration 1500000ns %t.data | diff %t.us - && %nophook report --min-duration 0.0015s %t.data | diff %t.us -
// RUN: FileCheck %s --check-prefix=LONG < %t.us
// RUN: %exits 1 %nophook report --min-duration 1000s %t.data 2>/dev/null | FileCheck %s --check-prefix=NONE --allow-empty
// RUN: %exits 2 %nophook report --min-duration 10 %t.data 2>&1 | FileCheck %s
// RUN: %exits 2 %nophook record --duration 10 %t 2>&1 | FileCheck %s
// RUN: %exits 2 %nophook live --duration 10 %t 2>&1 | FileCheck %s
// RUN: %exits 2 %nophook attach --duration 10 1 2>&1 | FileCheck %s
// RUN: %exits 2 %nophook top --interval 10 2>&1 | FileCheck %s
// RUN: %exits 2 %nophook report --min-duration 10m0 %t.data 2>&1 | FileCheck %s --check-prefix=UNKNOWN
#include <time.h>
__attribute__((noinline)) void pause_for(long ms) { nanosleep(&(struct timespec){0, ms * 1000000}, 0); }
int main(void) { pause_for(0); pause_for(2); }
// CHECK: nophook: {{[a-z]+}}: {{--duration|--min-duration|--interval}}: '10' has no unit: 10us, 10ms or 10s
// LONG: pause_for
// LONG: main
// NONE-NOT: pause_for
// UNKNOWN: nophook: report: --min-duration: '10m0'
