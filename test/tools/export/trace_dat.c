// export --format trace.dat: two processes, one of which runs another program at the same addresses: each call has the name from its own program; a recording without events is refused.
// REQUIRES: trace-cmd
// RUN: %traced_cc -DSELF=red -no-pie %s -o %t.red && %traced_cc -DSELF=blue -DOTHER='"%t.red"' -no-pie %s -o %t
// RUN: %nophook record -p function -o %t.data -- %t && %nophook export %t.data --format trace.dat -o %t.dat
// RUN: %python %S/Inputs/same_events.py %nophook %t.data %t.dat | FileCheck %s
// RUN: trace-cmd report -i %t.dat | FileCheck %s --check-prefix=NAMES
// RUN: %nophook record -o %t.data -- %t && %nophook export %t.data --format trace.dat -o %t.dat && %python %S/Inputs/same_events.py %nophook %t.data %t.dat | FileCheck %s --check-prefix=GRAPH
// RUN: %nophook record -p profile -o %t.data -- %t && %exits 1 %nophook export %t.data --format trace.dat -o %t.none 2>&1 | FileCheck %s --check-prefix=PROFILE
// RUN: not ls %t.none
// RUN: %exits 1 %nophook export %t.data --format trace.dat -o /no/such/folder 2>&1 | FileCheck %s --check-prefix=PROFILE
// RUN: %exits 2 %nophook export --uprobes --format trace.dat %t
// CHECK: 2 threads, 5 function
// NAMES-DAG: {{blue +<-- *main|blue$}}
// NAMES-DAG: {{red +<-- *main|red$}}
// GRAPH: 2 threads, 5 entry, 5 exit
// PROFILE: nophook: {{.*}}: is a profile: there are no events to convert
#include <sys/wait.h>
#include <unistd.h>
__attribute__((noinline)) static void SELF(void) { __asm__ volatile(""); }
int main(void) {
  SELF();
#ifdef OTHER
  if (!fork()) { execl(OTHER, "red", (char *)0); _exit(1); }
  int status = 1;
  wait(&status);
  SELF();
  return status;
#endif
}
