// With tracing_thresh the profiler counts calls that took at least this long, and no others.
// RUN: %traced_cc %s -o %t && %nophook record -p profile -S tracing_thresh=2000 -o %t.data -- %t 2>/dev/null
// RUN: %nophook report --json %t.data | FileCheck %s
// RUN: %nophook record -p profile -S tracing_thresh=3600000000 -o %t.none -- %t 2>&1 | FileCheck %s --check-prefix=NONE
// CHECK-NOT: "function":"quick","hits":1000,
// CHECK: "function":"slow","hits":3,
// CHECK-NOT: "function":"quick","hits":1000,
// NONE-NOT: calls counted
#include <time.h>
__attribute__((noinline)) static void quick(int n) { __asm__ volatile("" : "+r"(n)); }
__attribute__((noinline)) static void slow(void) {
  struct timespec time = {0, 5000000};
  nanosleep(&time, 0);
}
int main(void) {
  for (int i = 0; i < 1000; i++)
    quick(i);
  for (int i = 0; i < 3; i++)
    slow();
}
