// live shows a program's calls without a file: at its end as trace, top or graph, or as they come; the program's streams and status are its own, and options that change nothing are refused.
// RUN: %traced_cc %s -o %t && rm -rf %t.dir && mkdir %t.dir && cd %t.dir
// RUN: %exits 3 %nophook live -- %t 2> %t.err | FileCheck %s && FileCheck %s --check-prefix=SAID < %t.err
// RUN: %exits 3 %nophook live --show top -l 'in_*' -- %t 2>/dev/null | FileCheck %s --check-prefix=TOP
// RUN: %exits 3 %nophook live --show graph --names full %t 2>/dev/null | FileCheck %s --check-prefix=GRAPH
// RUN: %exits 3 %nophook live -p profile %t 2>/dev/null | FileCheck %s --check-prefix=PROFILE
// RUN: %exits 3 %nophook live --args --where 'in_leaf.n > 1' -- %t 2>/dev/null | FileCheck %s --check-prefix=WHERE
// RUN: %exits 3 %nophook live --follow --args -- %t 2>&1 | FileCheck %s --check-prefix=FOLLOW
// RUN: %exits 3 %nophook live --follow -p function --wait 1000 -l in_child -- %t | FileCheck %s --check-prefix=CHILD
// RUN: %python %S/Inputs/live_follow.py %nophook %t
// RUN: ls -A %t.dir | count 0
// RUN: %exits 2 %nophook live -o x %t 2>&1 | FileCheck %s --check-prefix=OUTPUT
// RUN: %exits 2 %nophook live --follow --show top %t 2>&1 | FileCheck %s --check-prefix=END
// RUN: %exits 2 %nophook live --follow --where 'in_leaf.n > 1' %t 2>&1 | FileCheck %s --check-prefix=AT-END
// RUN: %exits 2 %nophook live --args --show graph --where 'in_leaf.m > 1' %t 2>&1 | FileCheck %s --check-prefix=ARGUMENT
// RUN: %exits 2 %nophook live -p profile --where 'in_leaf.n > 1' %t 2>&1 | FileCheck %s --check-prefix=COUNTS
// RUN: %exits 2 %nophook live --follow -p profile %t 2>&1 | FileCheck %s --check-prefix=EVENTS
// RUN: %exits 2 %nophook live --follow -p hits %t 2>&1 | FileCheck %s --check-prefix=HITS
// RUN: %exits 2 %nophook live --show top 2>&1 | FileCheck %s --check-prefix=PROGRAM
// RUN: %exits 127 %nophook live /no/such/program 2>&1 | FileCheck %s --check-prefix=NONE
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
__attribute__((noinline)) int in_leaf(int n) { asm volatile("" : "+r"(n)); return n; }
__attribute__((noinline)) int in_loop(int n) { int sum = 0; for (int i = 0; i < n; i++) sum += in_leaf(i); return sum; }
__attribute__((noinline)) void in_child(void) { asm volatile(""); }
int main(int argc, char **argv) {
  if (argc > 1 && !strcmp(argv[1], "wait")) { // until the event has been seen
    in_loop(1);
    char line[8];
    return !fgets(line, sizeof line, stdin);
  }
  puts("the program's own");
  in_loop(3);
  if (!fork()) { in_child(); _exit(0); }
  wait(0);
  return 3;
}
// CHECK: the program's own
// CHECK: main() {
// CHECK-NEXT: in_loop() {
// CHECK-NEXT: in_leaf();
// CHECK-NEXT: in_leaf();
// CHECK-NEXT: in_leaf();
// CHECK-NEXT: }
// SAID: nophook: 12 events of 4 functions in 2 threads, 0 events lost, 0.0 MiB in memory
// TOP: Hits Function
// TOP-DAG: 3 in_leaf
// TOP-DAG: 1 in_loop
// TOP-DAG: 1 in_child
// GRAPH: Calls Function
// GRAPH: 1 main
// PROFILE: Function Hit
// PROFILE-DAG: in_leaf 3
// WHERE: {{[|]}} in_leaf(n=2);
// WHERE-NOT: {{.}}
// AT-END: nophook: live: --where: is for what is shown at the end
// ARGUMENT: nophook: live: --where: 'in_leaf' has no argument 'm' (it has: n)
// COUNTS: nophook: live: --where: the tracer profile makes no events to choose from
// FOLLOW: main(
// FOLLOW: in_loop(n=3) {
// FOLLOW-NEXT: in_leaf(n=0);
// CHILD: in_child <-main
// OUTPUT: nophook: live: {{.*}}-o{{.*}} (see nophook live --help)
// END: nophook: live: --show: is for what is shown at the end: leave out --follow
// EVENTS: nophook: live: --follow: the tracer profile makes no events
// HITS: nophook: live: --follow: the tracer hits makes no events
// PROGRAM: nophook: live: no program is given (see nophook live --help)
// NONE: nophook: {{.*}}/no/such/program
