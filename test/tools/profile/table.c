// The profiler's table is the kernel's: hits, time, average and variance by function, sorted by time or as asked; callees that take a caller's place, and functions that are not called through, count as hits.
// RUN: %traced_cc -O2 %s -o %t && %nophook record -p profile -o %t.data -- %t 2> %t.err
// RUN: FileCheck %s --check-prefix=SAID < %t.err
// RUN: %nophook report %t.data | FileCheck %s
// RUN: %nophook report --sort hit --top 1 %t.data | FileCheck %s --check-prefix=HIT
// RUN: %nophook report --json --by-thread %t.data | FileCheck %s --check-prefix=JSON
// RUN: %nophook report --json %t.data > %t.json && %python %S/Inputs/sums.py %t.json
// RUN: %python %S/Inputs/sorted.py %nophook %t.data
#include <stdarg.h>
#include <time.h>
#define SEEN __attribute__((noinline))
SEEN static void busy(long us) {
  struct timespec from, now;
  clock_gettime(CLOCK_MONOTONIC, &from);
  do
    clock_gettime(CLOCK_MONOTONIC, &now);
  while ((now.tv_sec - from.tv_sec) * 1000000 + (now.tv_nsec - from.tv_nsec) / 1000 < us);
}
SEEN static int many(int n) { __asm__ volatile("" : "+r"(n)); return n; }
SEEN static int tail(int n) { __asm__ volatile("" : "+r"(n)); return many(n); }
SEEN static int variadic(int n, ...) { va_list list; va_start(list, n); int got = va_arg(list, int); va_end(list); return got; }
SEEN static int stack(int a, int b, int c, int d, int e, int f, int g, int h) { return a + b + c + d + e + f + g + h; }
int main(void) {
  int sum = 0;
  for (int i = 0; i < 1000; i++)
    sum += many(i) + tail(i) + variadic(1, i) + stack(i, 1, 2, 3, 4, 5, 6, 7);
  for (int i = 0; i < 10; i++)
    busy(i % 2 ? 1000 : 3000);
  return sum == 0;
}
// 1 + 10 + 2000 + 1000 + 1000 + 1000
// SAID: nophook: 5011 calls counted
//      CHECK: Function  Hit Time Avg s^2 Self
// CHECK-NEXT: --------  --- ---- --- --- ----
// CHECK-NEXT: main 1 {{[0-9.]+}} us {{[0-9.]+}} us 0.000 us
//  CHECK-DAG: busy 10 {{[0-9.]+}} us {{([2-9][0-9]{3}|[0-9]{5,})\.[0-9]+}} us {{[0-9]{5,}\.[0-9]+}} us
//  CHECK-DAG: many 2000 {{[0-9.]+}} us
//  CHECK-DAG: tail 1000 {{[0-9.]+}} us
//  CHECK-DAG: stack 1000 {{[0-9.]+}} us
//  CHECK-DAG: variadic 1000 0.000 us
// HIT: many 2000
// HIT-NOT: {{^}}  {{[a-z]}}
// JSON: {"function":"main","hits":1,{{.*}}"thread":"table.c.tmp-
