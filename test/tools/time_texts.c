// A TIME means the same to every verb: a number with a unit, in which 1500us is 1.5ms; a number alone is in seconds.
// RUN: %traced_cc %s -o %t && %nophook record -o %t.data -- %t
// RUN: %nophook report --min-duration 1500us %t.data > %t.us && %nophook report --min-duration 1.5ms %t.data | diff %t.us -
// RUN: %nophook report --min-duration 1500000ns %t.data | diff %t.us - && %nophook report --min-duration 0.0015s %t.data | diff %t.us -
// RUN: %nophook report --min-duration 0.0015 %t.data | diff %t.us -
// RUN: FileCheck %s --check-prefix=LONG < %t.us
// RUN: %exits 1 %nophook report --min-duration 1000 %t.data 2>/dev/null | FileCheck %s --check-prefix=NONE --allow-empty
// RUN: %exits 2 %nophook report --min-duration 10m0 %t.data 2>&1 | FileCheck %s
// RUN: %exits 2 %nophook record --duration 10m0 %t 2>&1 | FileCheck %s
// RUN: %exits 2 %nophook record --wait 10m0 %t 2>&1 | FileCheck %s
// RUN: %exits 2 %nophook live --duration 10m0 %t 2>&1 | FileCheck %s
// RUN: %exits 2 %nophook attach --duration 10m0 1 2>&1 | FileCheck %s
// RUN: %exits 2 %nophook top --interval 10m0 2>&1 | FileCheck %s
// RUN: %exits 2 %nophook record --duration 0 %t 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: %exits 2 %nophook record --wait 11s %t 2>&1 | FileCheck %s --check-prefix=LONG-WAIT
// RUN: %nophook record --wait 10 -o %t.data -- %t && %nophook record --wait 10ms -o %t.data -- %t
// RUN: %nophook record --duration 10 -o %t.data -- %t && %nophook report %t.data | FileCheck %s --check-prefix=BOTH
#include <time.h>
__attribute__((noinline)) void pause_for(long ms) { nanosleep(&(struct timespec){0, ms * 1000000}, 0); }
int main(void) { pause_for(0); pause_for(2); }
// CHECK: nophook: {{[a-z]+}}: {{--duration|--min-duration|--interval|--wait}}: '10m0' is not a time, such as 10us, 2.5ms, 1s or 5m
// LONG: pause_for
// LONG: main
// BOTH-COUNT-2: pause_for();
// NONE-NOT: pause_for
// ZERO: nophook: record: --duration: 0 is less than 0.001
// LONG-WAIT: nophook: record: --wait: 11000 is more than 10000
