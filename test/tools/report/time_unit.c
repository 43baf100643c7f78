// --time-unit is the unit of every table's durations, which are then columns of one unit; where there is no table it is refused.
// RUN: %traced_cc %s -o %t && %nophook record -o %t.data -- %t && %nophook record -p profile -o %t.profile -- %t
// RUN: %nophook report --top --time-unit us %t.data | FileCheck %s --check-prefix=US --implicit-check-not=" ms"
// RUN: %nophook report --by module --time-unit ns %t.data | FileCheck %s --check-prefix=NS --implicit-check-not=" us"
// RUN: %nophook report --by thread --time-unit ns %t.profile | FileCheck %s --check-prefix=NS --implicit-check-not=" us"
// RUN: %nophook report --diff %t.data --time-unit ns %t.data | FileCheck %s --check-prefix=NS --implicit-check-not=" us"
// RUN: %nophook diff --time-unit us %t.data %t.data | FileCheck %s --check-prefix=US --implicit-check-not=" ms"
// RUN: %nophook graph --time-unit us %t.data | FileCheck %s --check-prefix=US --implicit-check-not=" ms"
// RUN: %nophook latency slow --time-unit us %t.data | FileCheck %s --check-prefix=US --implicit-check-not=" ms"
// RUN: %nophook report --top --time-unit auto %t.data | FileCheck %s --check-prefix=AUTO
// RUN: %exits 2 %nophook report --time-unit us %t.data 2>&1 | FileCheck %s --check-prefix=TRACE
// RUN: %exits 2 %nophook report --time-unit us %t.profile 2>&1 | FileCheck %s --check-prefix=TRACE
// RUN: %exits 2 %nophook report --top --json --time-unit us %t.data 2>&1 | FileCheck %s --check-prefix=JSON
// RUN: %exits 2 %nophook graph --json --time-unit us %t.data 2>&1 | FileCheck %s --check-prefix=JSON
// RUN: %exits 2 %nophook latency slow --json --time-unit us %t.data 2>&1 | FileCheck %s --check-prefix=JSON
// RUN: %exits 2 %nophook diff --json --time-unit us %t.data %t.data 2>&1 | FileCheck %s --check-prefix=JSON
// RUN: %exits 2 %nophook graph --time-unit ms %t.data 2>&1 | FileCheck %s --check-prefix=UNIT
#include <time.h>
__attribute__((noinline)) int slow(void) { return nanosleep(&(struct timespec){0, 20000000}, 0); }
int main(void) { return slow(); }
// US: {{[0-9][0-9][0-9][0-9][0-9]+[.][0-9]+ us}}
// NS: {{[0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9]+ ns}}
// AUTO: {{[0-9.]+}} ms
// TRACE: nophook: report: --time-unit: is for the tables of --top, --by and --diff
// JSON: --time-unit: is for tables: JSON has nanoseconds
// UNIT: nophook: graph: --time-unit: 'ms' is none of auto, us, ns
