// The setting is changed while a program runs: what each thread watches changes with its next event. nosleep-time needs it.
// REQUIRES: rseq-shows-sleep
// RUN: %traced_cc -I%include %s %linked -o %t && %nophook record -p function_graph -o %t.data %t
// RUN: %nophook report %t.data -O nofuncgraph-cpu > %t.text && FileCheck %s < %t.text
// CHECK-NOT: off_cpu
// CHECK: sleeps();
// CHECK: sleeps() {
// CHECK-NEXT: /* off_cpu: duration={{[0-9]+}}.{{[0-9]+}} us */
// CHECK: sleeps();
// CHECK-NOT: off_cpu
#include <tracefs.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

__attribute__((noinline)) static void sleeps(void) { usleep(2000); }

static int echo(const char *text, const char *file) { return (int)tracefs_write(file, text, strlen(text), 0); }

int main(void) {
  sleeps();
  if (echo("nosleep-time", "trace_options") >= 0 || echo("1", "off_cpu") < 0 || echo("nosleep-time", "trace_options") < 0)
    return 1;
  sleeps();
  if (echo("0", "off_cpu") < 0)
    return 2;
  sleeps();
}
