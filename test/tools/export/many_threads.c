// export --format ctf: 300 threads are as many files as CPUs, so that few open files are enough to write and read them.
// RUN: %traced_cc %s -o %t -pthread && %nophook record -o %t.data -- %t && rm -rf %t.ctf
// RUN: sh -c 'ulimit -n 40 && exec %nophook export --format ctf -o %t.ctf %t.data'
// RUN: %debian_python %S/Inputs/same_ctf.py %nophook %t.data %t.ctf | FileCheck %s
// CHECK: 301 threads, {{[0-9]+}} entry, {{[0-9]+}} exit, 0 discarded
#include <pthread.h>
__attribute__((noinline)) void leaf(void) { __asm__ volatile(""); }
void *work(void *nothing) {
  leaf();
  return nothing;
}
int main(void) {
  for (int i = 0; i < 300; i++) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
  }
}
