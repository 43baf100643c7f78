// A program that is traced without a recorder leaves its buffer in the user's own folder, 0600 in 0700; report reads it as it lies, recover lists it, and --clean removes those of ended processes only.
// RUN: %traced_cc %s %linked -o %t && rm -rf %t.dir && mkdir %t.dir
// RUN: env XDG_RUNTIME_DIR=%t.dir NOPHOOK=current_tracer=function_graph %exits -6 %t 2> %t.err
// RUN: stat -c '%%a' %t.dir/nophook %t.dir/nophook/*.buf %t.dir/nophook/*.maps | FileCheck %s --check-prefix=MODES
// RUN: %nophook report %t.dir/nophook/*.buf > %t.text && FileCheck %s < %t.text
// RUN: env XDG_RUNTIME_DIR=%t.dir %nophook recover -o %t.data %t.dir/nophook && %nophook report %t.data | cmp - %t.text
// RUN: env XDG_RUNTIME_DIR=%t.dir NOPHOOK=current_tracer=function_graph %t %nophook %t.dir/nophook > %t.list && FileCheck %s --check-prefix=LIST < %t.list
// RUN: env XDG_RUNTIME_DIR=%t.dir %nophook recover --clean %t.dir/nophook && ls %t.dir/nophook | count 0
// RUN: %exits 1 %nophook recover %t.dir 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: %exits 1 %nophook recover %s 2>&1 | FileCheck %s --check-prefix=NO-BUFFER
// RUN: %exits 2 %nophook recover 2>&1 | FileCheck %s --check-prefix=USAGE
#include <stdio.h>
#include <stdlib.h>
__attribute__((noinline)) static void work(int n) { __asm__ volatile("" : "+r"(n)); }
int main(int count, char **arguments) {
  work(1);
  work(2);
  if (count < 2)
    abort();
  char command[1024];
  snprintf(command, sizeof command, "unset NOPHOOK; %1$s recover --list; %1$s recover --list --json %2$s; %1$s recover --clean %2$s 2>&1; %1$s recover --list %2$s",
           arguments[1], arguments[2]);
  return system(command);
}
// MODES: 700
// MODES-NEXT: 600
// MODES-NEXT: 600
// CHECK: main() {
// CHECK-NEXT: work();
// CHECK-NEXT: work();
// LIST: PID STATE AGE SIZE COMMAND BUFFER
// LIST: gone {{.*}} MiB lists.c.tmp {{.*}}.dir/nophook/{{.*}}.buf
// LIST: running {{.*}} MiB lists.c.tmp
// LIST: "alive":false,{{.*}}"comm":"lists.c.tmp"
// LIST: "alive":true
// LIST: 1 buffer of ended processes removed
// LIST: PID
// LIST-NEXT: running
// LIST-NOT: gone
// NONE: has no buffers (nophook recover --list shows all buffers)
// NO-BUFFER: is not a buffer, a folder, a core file or a process
// USAGE: name a buffer, a folder or a process
