// --diff: which functions of another build became slower, sorted by that; also those that only one of them has.
// RUN: mkdir -p %t.a %t.b
// RUN: %traced_cc %s -o %t.a/p && %nophook record -o %t.old -- %t.a/p
// RUN: %traced_cc %s -DNEW -o %t.b/p && %nophook record -o %t.new -- %t.b/p
// RUN: %nophook report --diff %t.old %t.new | FileCheck %s --match-full-lines
// RUN: %nophook report --diff %t.old %t.new --top 1 --json | FileCheck %s --check-prefix=JSON
// RUN: %nophook report --diff %t.new %t.old --json | tail -1 | FileCheck %s --check-prefix=FASTER
// RUN: %exits 1 %nophook report --diff %t.none %t.new 2>&1 | FileCheck %s --check-prefix=NONE
#include <time.h>
#ifdef NEW
__attribute__((noinline)) void added(void) { asm volatile(""); }
enum { kSleep = 200000000 }; // more than a busy machine adds
#else
__attribute__((noinline)) void removed(void) { asm volatile(""); }
#define added removed
enum { kSleep = 1000 };
#endif
__attribute__((noinline)) void slower(void) { nanosleep(&(struct timespec){0, kSleep}, 0); }
int main(void) { for (int i = 0; i < 3; i++) slower(); added(); }
// CHECK: # before: {{.*}}diff.c.tmp.old
// CHECK: # after: {{.*}}diff.c.tmp.new
// CHECK-NEXT: Self after difference Total after difference Hits after difference Function
// CHECK-NEXT: {{[0-9.]+ (us|ms|s)}} {{[0-9.]+ (ms|s)}} +{{[0-9.]+ (ms|s)}} {{.*}} 3 3 +0 slower
// CHECK-DAG: {{.*}} 0 1 +1 added
// CHECK-DAG: {{.*}} 1 0 -1 removed
// CHECK-DAG: {{.*}} 1 1 +0 main
// JSON: {"function":"slower","hits":{"before":3,"after":3,"difference":0},"self_ns":{"before":{{[0-9]+}},"after":{{[0-9]+}},"difference":{{[0-9]+}}},"total_ns":{{.*}}
// JSON-NOT: {{.}}
// FASTER: {"function":"slower",{{.*}}"difference":-
// NONE: diff.c.tmp.none: No such file or directory
