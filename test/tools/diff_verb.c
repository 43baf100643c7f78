// diff compares two recordings of different builds: calls, own and whole times and the p99, each with its difference; what one of them does not have is refused.
// RUN: mkdir -p %t.a %t.b
// RUN: %traced_cc %s -o %t.a/p && %nophook record -o %t.old -- %t.a/p && %nophook record -p function -o %t.pairs -- %t.a/p
// RUN: %traced_cc %s -DNEW -o %t.b/p && %nophook record -o %t.new -- %t.b/p && %nophook record -p profile -o %t.profile -- %t.b/p
// RUN: %nophook diff %t.old %t.new | FileCheck %s --match-full-lines
// RUN: %nophook diff --json --sort p99 %t.old %t.new > %t.json && %python %S/Inputs/diff_verb.py %nophook %t.old %t.new %t.json
// RUN: %nophook diff --sort hits --fields hits --top=1 %t.old %t.new | FileCheck %s --check-prefix=HITS --match-full-lines
// RUN: %nophook diff %t.pairs %t.new | FileCheck %s --check-prefix=PAIRS --match-full-lines
// RUN: %nophook diff %t.profile %t.profile | FileCheck %s --check-prefix=PROFILE --match-full-lines
// RUN: %exits 2 %nophook diff --fields p99 %t.pairs %t.new 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: %exits 2 %nophook diff --sort p99 %t.profile %t.profile 2>&1 | FileCheck %s --check-prefix=SUMS
// RUN: %exits 2 %nophook diff --fields self,p98 %t.old %t.new 2>&1 | FileCheck %s --check-prefix=FIELD
// RUN: %exits 1 %nophook diff %t.old %t.profile 2>&1 | FileCheck %s --check-prefix=KINDS
// RUN: %nophook record --args -o %t.a.args -- %t.a/p && %nophook record --args -o %t.b.args -- %t.b/p
// RUN: %nophook diff --where 'slower.n >= 1' --fields hits %t.a.args %t.b.args | FileCheck %s --check-prefix=WHERE --match-full-lines
// RUN: %nophook diff --where 'slower.n >= 3' --fields hits %t.a.args %t.b.args 2>&1 | FileCheck %s --check-prefix=NEVER
// RUN: %exits 1 %nophook diff --where 'slower.n >= 1' %t.profile %t.profile 2>&1 | FileCheck %s --check-prefix=COUNTS
// RUN: %exits 2 %nophook diff --where 'slower.m >= 1' %t.a.args %t.b.args 2>&1 | FileCheck %s --check-prefix=ARGUMENT
// RUN: %exits 2 %nophook diff %t.old 2>&1 | FileCheck %s --check-prefix=TWO
#include <time.h>
#ifdef NEW
__attribute__((noinline)) void added(void) { asm volatile(""); }
enum { kSleep = 200000000, kCalls = 5 }; // more than a busy machine adds
#else
__attribute__((noinline)) void removed(void) { asm volatile(""); }
#define added removed
enum { kSleep = 1000, kCalls = 3 };
#endif
__attribute__((noinline)) void slower(int n) { asm volatile("" : "+r"(n)); nanosleep(&(struct timespec){0, kSleep}, 0); }
int main(void) { for (int i = 0; i < kCalls; i++) slower(i); added(); }
// CHECK: # before: {{.*}}.old
// CHECK-NEXT: # after: {{.*}}.new
// CHECK-NEXT: Self after difference Total after difference p99 after difference Hits after difference Function
// CHECK-NEXT: {{[0-9.]+ (us|ms|s)}} {{[0-9.]+ (ms|s)}} +{{[0-9.]+ (ms|s)}} {{.*}} 3 5 +2 slower
// CHECK-DAG: {{.*}} 0 1 +1 added
// CHECK-DAG: {{.*}} 1 0 -1 removed
// CHECK-DAG: {{.*}} 1 1 +0 main
// HITS: Hits after difference Function
// HITS-NEXT: 3 5 +2 slower
// HITS-NOT: {{.}}
// PAIRS: Hits after difference Function
// PAIRS-NEXT: 3 5 +2 slower
// PROFILE: Self after difference Total after difference Hits after difference Function
// NONE: nophook: diff: --fields: p99: {{.*}}.pairs has no durations: it is not of function_graph
// SUMS: nophook: diff: --sort: p99: {{.*}}.profile is a profile: it has sums only
// FIELD: nophook: diff: --fields: there is no field 'p98' (there are: self total p99 hits)
// KINDS: nophook: {{.*}}.old: the other recording is a profile
// TWO: nophook: diff: AFTER is required (see nophook diff --help)
// WHERE: Hits after difference Function
// WHERE-NEXT: 2 4 +2 slower
// WHERE-NOT: {{.}}
// NEVER: nophook: {{.*}}.a.args: no call with 'slower.n >= 3' was recorded
// NEVER-NOT: {{.}}
// COUNTS: nophook: {{.*}}.profile: is a profile: there are no events to choose from
// ARGUMENT: nophook: diff: --where: 'slower' has no argument 'm' (it has: n)
