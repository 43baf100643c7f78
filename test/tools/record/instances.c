// A recorder records a process's main trace; its instances are the process's own, and leave nothing.
// RUN: %traced_cc -I%include %s %linked -o %t && rm -rf %t.dir && mkdir -p %t.dir
// RUN: env XDG_RUNTIME_DIR=%t.dir %nophook record -o %t.data -p function %t 2>&1 | FileCheck %s --check-prefix=SAID --allow-empty
// RUN: %nophook report %t.data | FileCheck %s
// RUN: ls -R %t.dir | FileCheck %s --check-prefix=LEFT --allow-empty
// SAID-NOT: refused
// CHECK: entries-in-buffer/entries-written: 8/8
// CHECK-COUNT-6: work <-main
// CHECK-NOT: work
// LEFT-NOT: foo
#include <stdio.h>
#include <tracefs.h>
__attribute__((noinline)) static void work(int n) { __asm__ volatile("" : "+r"(n)); }
__attribute__((no_instrument_function)) static void expect(int result) {
  if (result)
    printf("refused: %d\n", result);
}
__attribute__((noinline)) static void end(void) { __asm__ volatile(""); }
int main(void) {
  expect(tracefs_mkdir("instances/foo"));
  expect(tracefs_write("instances/foo/current_tracer", "function_graph", 14, 0));
  for (int i = 0; i < 3; i++)
    work(i);
  expect(tracefs_mkdir("instances/bar"));
  expect(tracefs_write("instances/bar/current_tracer", "function", 8, 0));
  for (int i = 0; i < 3; i++)
    work(i);
  expect(tracefs_rmdir("instances/bar"));
  end();
}
