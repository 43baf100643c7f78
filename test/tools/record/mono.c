// trace_clock=mono and global: each event's time lies between what CLOCK_MONOTONIC shows the program before and after the call, to 10 ms.
// RUN: %traced_cc -O1 %s -o %t
// RUN: %nophook record -S trace_clock=mono -o %t.data -- %t > %t.times && %nophook report --json %t.data > %t.json
// RUN: %python %S/Inputs/mono.py %t.times %t.json
// RUN: %nophook record -S trace_clock=global -o %t.data -- %t > %t.times && %nophook report --json %t.data > %t.json
// RUN: %python %S/Inputs/mono.py %t.times %t.json
#include <stdio.h>
#include <time.h>

#define HIDDEN __attribute__((noinline, no_instrument_function))
HIDDEN static long long now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000000LL + now.tv_nsec;
}

__attribute__((noinline)) static void work(int n) { __asm__ volatile("" : : "r"(n) : "memory"); }

// A program of some hundred milliseconds: a wrong speed of the counter would show.
HIDDEN int main(void) {
  for (int i = 0; i < 20; i++) {
    long long before = now_ns();
    work(i);
    printf("%lld %lld\n", before, now_ns());
    nanosleep(&(struct timespec){0, 20000000}, NULL);
  }
}
