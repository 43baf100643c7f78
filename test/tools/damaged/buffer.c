// Buffers of traced processes, whole and in mutations, are recovered and drained without a crash: refused, or the recording that is made of one is whole.
// RUN: rm -rf %t && mkdir -p %t/left && chmod 700 %t/left && %traced_cc %s %linked -o %t/program
// RUN: env NOPHOOK="buffer_dir=%t/left buffer_size_kb=1024 current_tracer=function_graph" %t/program
// RUN: env NOPHOOK="buffer_dir=%t/left buffer_size_kb=1024 current_tracer=function" %t/program
// RUN: env NOPHOOK="buffer_dir=%t/left buffer_size_kb=1024 current_tracer=profile" %t/program
// RUN: cd %t && %python %S/../../fuzz/reader_seeds.py corpus %t/left/*.buf %S/../../fuzz/buffer_seeds
// RUN: cd %t && %fuzz_buffer_replay 500 corpus/* 2>notes | FileCheck %s
// CHECK: {{([3-9]|[0-9][0-9]+)}} files, {{[0-9][0-9][0-9]+}} inputs tried
#include <pthread.h>
__attribute__((noinline)) static int down(int n) {
  asm volatile("" : "+r"(n));
  int below = n > 0 ? down(n - 1) : 0;
  asm volatile("" : "+r"(below));
  return below + 1;
}
static void *body(void *unused) { return down(50), unused; }
int main(void) {
  pthread_t thread;
  body(0);
  return pthread_create(&thread, 0, body, 0) || pthread_join(thread, 0);
}
