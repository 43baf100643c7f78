// Two profiles are compared as two recordings are: calls and times of each function before and after, of all threads; one with a recording of events is refused.
// RUN: %traced_cc %s -o %t && %nophook record -p profile -o %t.old -- %t && %nophook record -p profile -o %t.new -- %t more
// RUN: %nophook report --diff %t.old %t.new | FileCheck %s
// RUN: %nophook report --diff %t.old %t.new --json | FileCheck %s --check-prefix=JSON
// RUN: %nophook record -o %t.graph -- %t && %exits 1 %nophook report --diff %t.graph %t.new 2>&1 | FileCheck %s --check-prefix=MIXED
// CHECK: # before: {{.*}}.old
// CHECK: # after:  {{.*}}.new
// CHECK: Self {{.*}} Total {{.*}} Hits
// CHECK-DAG: {{s +20 +50 +\+30 +work$}}
// CHECK-DAG: {{s +1 +1 +\+0 +main$}}
// JSON-DAG: {"function":"work","hits":{"before":20,"after":50,"difference":30},"self_ns":{"before":
// MIXED: nophook: {{.*}}.graph: only one of the two is a profile
#include <pthread.h>
__attribute__((noinline)) static void work(int n) { asm volatile("" : "+r"(n)); }
static void *run(void *more) {
  for (int i = 0; i < (more ? 25 : 10); i++)
    work(i);
  return 0;
}
int main(int count, char **arguments) {
  pthread_t thread;
  void *more = count > 1 ? arguments : 0;
  run(more);
  return pthread_create(&thread, 0, run, more) || pthread_join(thread, 0);
}
