// The recording of an AArch64 program with three threads is read by this machine's command: every call of every thread,
// in the order in which it was made.
// RUN: %traced_cc -O2 %s -o %t %static && %run_function %t && %nophook report %t.buf/*.buf >%t.function
// RUN: FileCheck %s --check-prefix=FUNCTION <%t.function
// RUN: grep -c ' leaf <-many$' %t.function | grep -x 300
// RUN: grep -c ' many <-run$' %t.function | grep -x 300
// RUN: %run_function_graph %t && %nophook report %t.buf/*.buf >%t.graph
// RUN: FileCheck %s --check-prefix=GRAPH <%t.graph
// RUN: grep -c 'leaf();$' %t.graph | grep -x 300
// RUN: grep -c 'many() {$' %t.graph | grep -x 300
#include "program.h"

#include <pthread.h>

NOINLINE long leaf(long a, long b) {
  KEEP(a);
  return a * 3 + b;
}
NOINLINE long many(long a, long b, long c, long d, long e, long f, long g, long h, long i, double j) {
  return a + b + c + d + e + f + g + h + i * 10 + (long)(j * 100) + leaf(a, b);
}
NOINLINE void *run(void *raw) {
  for (long i = 0; i < 100; i++)
    *(long *)raw += many(1, 2, 3, 4, 5, 6, 7, 8, 9, (double)i);
  return NULL;
}

UNTRACED int main(void) {
  pthread_t threads[3];
  long sums[3] = {0};
  for (int i = 0; i < 3; i++)
    pthread_create(&threads[i], NULL, run, &sums[i]);
  for (int i = 0; i < 3; i++) {
    pthread_join(threads[i], NULL);
    EXPECT_EQ(sums[i], 100 * (36 + 90 + 5) + 100 * (99 * 100 / 2));
  }
  return failures != 0;
}
// FUNCTION: # tracer: function
// FUNCTION: run <-libc.so.6+0x
// FUNCTION: many <-run
// FUNCTION: leaf <-many
//
// GRAPH: # tracer: function_graph
// GRAPH: |  run() {
// GRAPH: |    many() {
// GRAPH-NEXT: |      leaf();
// GRAPH-NEXT: |    }
