// The instances that a killed program has left are shown by name, and read by name; a folder or a process is its main
// trace alone.
// RUN: %traced_cc -I%include %s %linked -o %t && rm -rf %t.dir && mkdir -p %t.dir
// RUN: env XDG_RUNTIME_DIR=%t.dir NOPHOOK="serve" %exits -9 %t
// RUN: env XDG_RUNTIME_DIR=%t.dir %nophook recover --list | FileCheck %s --check-prefix=LIST
// RUN: env XDG_RUNTIME_DIR=%t.dir %nophook recover --list --json | FileCheck %s --check-prefix=JSON
// RUN: %nophook report %t.dir/nophook/*@foo.buf | FileCheck %s --check-prefix=FOO
// RUN: %nophook report %t.dir/nophook | FileCheck %s --check-prefix=MAIN
// RUN: env XDG_RUNTIME_DIR=%t.dir %nophook recover --clean %t.dir/nophook && ls %t.dir/nophook | FileCheck %s --check-prefix=CLEAN --allow-empty
// LIST-DAG: gone {{.*}}/nophook/{{[0-9]+-[0-9]+}}@foo.buf
// LIST-DAG: gone {{.*}}/nophook/{{[0-9]+-[0-9]+}}.buf
// JSON-DAG: "instance":"foo"
// JSON-DAG: "instance":""
// FOO: work <-main
// FOO-NEXT: work <-main
// FOO-NOT: last
// MAIN-NOT: work
// MAIN: last <-main
// MAIN-NOT: {{work|last}}
// CLEAN-NOT: .buf
#include <signal.h>
#include <tracefs.h>
#include <unistd.h>
__attribute__((noinline)) static void work(int n) { __asm__ volatile("" : "+r"(n)); }
__attribute__((noinline)) static void last(void) { __asm__ volatile(""); }
int main(void) {
  tracefs_mkdir("instances/foo");
  tracefs_write("instances/foo/set_ftrace_filter", "work", 4, 0);
  tracefs_write("instances/foo/current_tracer", "function", 8, 0);
  tracefs_write("set_ftrace_filter", "last", 4, 0);
  tracefs_write("current_tracer", "function", 8, 0);
  work(1);
  work(2);
  last();
  kill(getpid(), SIGKILL);
}
