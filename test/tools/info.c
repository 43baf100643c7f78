// info describes a recording: command, machine, time, processes and threads, events and losses, and its size; of a cut one it says so and fails.
// RUN: rm -f %t.data.index && %traced_cc %s -o %t && %nophook record -z -l 'in_*' -o %t.data -- %t word && %nophook record -p profile -o %t.profile -- %t
// RUN: %nophook info %t.data | FileCheck %s
// RUN: %nophook info --functions %t.data | FileCheck %s --check-prefix=FUNCTIONS --match-full-lines
// RUN: %exits 2 %nophook info --names short %t.data 2>&1 | FileCheck %s --check-prefix=NAMES
// RUN: %nophook info --json %t.data > %t.json && %python %S/Inputs/info.py %nophook %t.data %t.json
// RUN: touch %t.data.index && echo x > %t.data.index && %nophook info %t.data | FileCheck %s --check-prefix=INDEX
// RUN: %nophook info %t.profile | FileCheck %s --check-prefix=PROFILE --implicit-check-not=events
// RUN: head -c 3000 %t.data > %t.cut && %exits 1 %nophook info %t.cut 2>&1 | FileCheck %s --check-prefix=CUT
// RUN: %exits 1 %nophook info %t.none 2>&1 | FileCheck %s --check-prefix=NONE
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>
__attribute__((noinline)) void in_child(void) { asm volatile(""); }
__attribute__((noinline)) void in_both(void) { asm volatile(""); }
static void *thread(void *unused) { in_both(); return unused; }
int main(void) {
  pthread_t other;
  if (pthread_create(&other, 0, thread, 0) || pthread_join(other, 0)) return 1;
  for (int i = 0; i < 5000; i++) in_both(); // few events would not become smaller
  if (!fork()) { in_child(); _exit(0); }
  return wait(0) < 0;
}
// FUNCTIONS: in_both
// FUNCTIONS-NEXT: in_child
// FUNCTIONS-NEXT: main
// FUNCTIONS-NEXT: thread
// FUNCTIONS-NOT: {{.}}
// NAMES: --names requires --functions
// CHECK: recording {{.*}}info.c.tmp.data
// CHECK-NEXT: size {{[0-9.]+}} KiB, {{[0-9.]+}} bytes an event, compressed
// CHECK-NEXT: index none
// CHECK-NEXT: command {{.*}}/info.c.tmp word
// CHECK-NEXT: host {{.+}}
// CHECK-NEXT: system Linux {{[0-9]+\..*}}
// CHECK-NEXT: processor x86-64
// CHECK-NEXT: CPUs {{[0-9]+}}
// CHECK-NEXT: recorded {{20[0-9][0-9]-[0-9][0-9]-[0-9][0-9] [0-9:]+}} UTC
// CHECK-NEXT: tracer function_graph
// CHECK-NEXT: filter in_*
// CHECK-NEXT: clock time-stamp counter
// CHECK-NEXT: time {{[0-9.]+ (us|ms|s)}}, from {{[0-9.]+}} to {{[0-9.]+}} s
// CHECK-NEXT: processes 2
// CHECK-NEXT: threads 3
// CHECK-NEXT: events 10004
// CHECK-NEXT: lost 0
// CHECK-NEXT: overwritten 0
// CHECK-NEXT: end complete
// CHECK-EMPTY:
// CHECK-NEXT: PID Parent Threads Events Lost Command
// CHECK-NEXT: {{ +[0-9]+ +[0-9]+ +2 +10002 +0  .*info.c.tmp( word)?}}
// CHECK-NEXT: {{ +[0-9]+ +[0-9]+ +1 +2 +0  .*info.c.tmp}}
// INDEX: index 0.0 KiB
// PROFILE: tracer profile
// PROFILE: processes 2
// CUT-DAG: end {{.*}}cut
// CUT-DAG: nophook: {{.*}}.cut: {{.*}}cut
// NONE: nophook: {{.*}}.none: No such file or directory
