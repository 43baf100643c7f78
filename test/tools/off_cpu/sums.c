// The time off the CPU within calls is what the program itself measures as wall time less CPU time, and each sleep is in the call that slept.
// REQUIRES: rseq-shows-sleep
// RUN: %traced_cc %s -o %t && %python %S/Inputs/sums.py %nophook %t
// RUN: %nophook report %t.data | FileCheck %s
// CHECK: sleeps() {
// CHECK: /* off_cpu: duration={{[0-9]+\.[0-9]+}} us */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

#define TRACED __attribute__((noinline))

static uint64_t ns(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

TRACED static void sleeps(void) {
  nanosleep(&(struct timespec){0, 2000000}, NULL);
}
TRACED static void computes(void) {
  for (volatile int i = 0; i < 100000; i++)
    ;
}
TRACED static void works(int rounds) {
  for (int i = 0; i < rounds; i++) {
    sleeps();
    computes();
  }
}

static void *thread(void *name) {
  uint64_t wall = ns(CLOCK_MONOTONIC_RAW), cpu = ns(CLOCK_THREAD_CPUTIME_ID);
  works(50);
  wall = ns(CLOCK_MONOTONIC_RAW) - wall, cpu = ns(CLOCK_THREAD_CPUTIME_ID) - cpu;
  flockfile(stdout);
  printf("%s %lu\n", (const char *)name, (unsigned long)(wall - cpu));
  funlockfile(stdout);
  return NULL;
}

int main(void) {
  pthread_t second;
  computes(); // this thread's clocks are read in front of its sleeps
  pthread_create(&second, NULL, thread, "second");
  thread("main");
  return pthread_join(second, NULL);
}
