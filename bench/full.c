// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program whose buffer is full, traced or not, by NOPHOOK: CPU time of a call in nanoseconds, and
// of a thread that comes and goes with one traced call, in microseconds.
//
//      full CALLS THREADS

#include "support.h"

NOINLINE static void leaf(int n) {
  __asm__ volatile("" : "+r"(n));
}

UNTRACED static void *run(void *unused) {
  leaf(1);
  return unused;
}

UNTRACED static double cpu_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

UNTRACED static double threads_us(int count) {
  pthread_t thread;
  double start = cpu_ns();
  for (int i = 0; i < count; i++)
    if (pthread_create(&thread, NULL, run, NULL) || pthread_join(thread, NULL))
      give_up("no thread");
  return (cpu_ns() - start) / 1e3 / count;
}

UNTRACED int main(int argc, char **argv) {
  int calls = argc > 1 ? atoi(argv[1]) : 0, threads = argc > 2 ? atoi(argv[2]) : 0;
  if (calls < 1 || threads < 1)
    give_up("usage: full CALLS THREADS");
  for (int i = 0; i < 2000000; i++)
    leaf(i); // the buffer is full now
  double start = cpu_ns();
  for (int i = 0; i < calls; i++)
    leaf(i);
  printf("call %f\n", (cpu_ns() - start) / calls);
  threads_us(threads); // makes threads that have ended before the measurement
  printf("thread %f\n", threads_us(threads));
  return 0;
}
