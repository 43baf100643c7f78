// --by has the calls and times of functions, threads, modules and files, as the events have them, with percentiles in the columns that were chosen; what a recording does not have is refused.
// RUN: %traced_cxx -DLIBRARY -shared -fPIC %s -o %t.so && %traced_cxx %s %t.so -o %t
// RUN: %nophook record -o %t.data -- %t && %nophook record -p function -o %t.pairs -- %t && %nophook record -p profile -o %t.profile -- %t
// RUN: %python %S/Inputs/costs.py %nophook %t.data
// RUN: %nophook report --top %t.data > %t.top && %nophook report --by function --top %t.data | diff %t.top -
// RUN: %nophook report --by thread --sort thread %t.data | FileCheck %s --check-prefix=THREAD --match-full-lines
// RUN: %nophook report --by module --sort hits --fields hits,self %t.data | FileCheck %s --check-prefix=MODULE --match-full-lines
// RUN: %nophook report --by file --json %t.pairs | FileCheck %s --check-prefix=FILE --match-full-lines
// RUN: %nophook report --by module --min-calls 202 %t.data | FileCheck %s --check-prefix=MANY --implicit-check-not=.so
// RUN: %nophook report --by thread --sort hits %t.profile | FileCheck %s --check-prefix=PROFILE --match-full-lines
// RUN: %nophook report --by function --sort hit --fields hits --top 1 %t.profile | FileCheck %s --check-prefix=COUNTED
// RUN: %exits 2 %nophook report --by module --fields p99 %t.data 2>&1 | FileCheck %s --check-prefix=CALLS
// RUN: %exits 2 %nophook report --by function --fields self,p98 %t.data 2>&1 | FileCheck %s --check-prefix=COLUMN
// RUN: %exits 2 %nophook report --by function --fields "" --sort max %t.pairs 2>&1 | FileCheck %s --check-prefix=PAIRS
// RUN: %exits 2 %nophook report --by function --sort p50 %t.profile 2>&1 | FileCheck %s --check-prefix=SUMS
// RUN: %exits 2 %nophook report --by file --fields total %t.profile 2>&1 | FileCheck %s --check-prefix=WITHIN
// RUN: %exits 2 %nophook report --by file --srcline %t.data 2>&1 | FileCheck %s --check-prefix=LINE
// RUN: %exits 2 %nophook report --by function --fields total -O nograph-time %t.data 2>&1 | FileCheck %s --check-prefix=TIME
#include <pthread.h>
#define SEEN __attribute__((noinline))
#ifdef LIBRARY
SEEN int in_library(int n) { asm volatile("" : "+r"(n)); return n; }
#else
int in_library(int n);
SEEN int recursive(int n) { int below = n ? recursive(n - 1) : in_library(n); asm volatile("" : "+r"(below)); return below; }
static void *many(void *) { for (int i = 0; i < 200; i++) recursive(i % 4); return nullptr; }
int main() {
  pthread_t thread;
  if (pthread_create(&thread, nullptr, many, nullptr)) return 1;
  recursive(2);
  return pthread_join(thread, nullptr);
}
#endif
// THREAD: {{ +Self +Self % +Total +Hits +Thread}}
// THREAD-NEXT: {{.* +5  by.cpp.tmp-[0-9]+}}
// THREAD-NEXT: {{.* +701  by.cpp.tmp-[0-9]+}}
// THREAD-NOT: {{.}}
// MODULE: {{ +Hits +Self +Module}}
// MODULE-NEXT: {{ +505 .*/by.cpp.tmp}}
// MODULE-NEXT: {{ +201 .*/by.cpp.tmp.so}}
// FILE: {"file":"{{.*}}by.cpp","hits":706}
// MANY: 505
// MANY-NEXT: # 1 module with fewer than 202 calls left out (--min-calls)
// PROFILE: {{ +Self +Self % +Hits +Thread}}
// PROFILE-NEXT: {{.*[0-9]+ .s +[0-9.]+% +[0-9]+  .*}}
// COUNTED: Hits Function
// COUNTED-NEXT: 503 recursive
// CALLS: nophook: report: --fields: p99: is of one function's calls: use --by function
// COLUMN: nophook: report: --fields: there is no column 'p98' here (there are: self self% total hits avg p50 p90 p99 max)
// PAIRS: nophook: report: --sort: max: the recording has no durations: it is not of function_graph
// SUMS: nophook: report: --sort: p50: a profile has sums only
// WITHIN: nophook: report: --fields: total: a profile does not know
// LINE: nophook: report: --srcline: is for functions
// TIME: nophook: report: --fields: total: -O nograph-time leaves it out
