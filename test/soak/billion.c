// 500 million calls of four threads are a billion events, and each is in the recording: `--all`; else 5 million.
// RUN: %traced_cc %s -o %t && rm -f %t.data
// RUN: %nophook record --wait 1000 -m 256 -o %t.data -- %t %million-calls 2>&1 | FileCheck %s --check-prefix=LOST
// RUN: %nophook report --top 5 --json %t.data > %t.top && rm %t.data
// RUN: %t %million-calls check < %t.top
// LOST: 0 events lost
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum { kThreads = 4 };
static long calls;
__attribute__((noinline)) static void leaf(long n) { __asm__ volatile("" : "+r"(n)); }
__attribute__((no_instrument_function)) static void *run(void *unused) {
  for (long i = 0; i < calls; i++)
    leaf(i);
  return unused;
}
__attribute__((no_instrument_function)) static int check(void) {
  char line[4096], wanted[64];
  snprintf(wanted, sizeof wanted, "\"hits\":%ld,", calls * kThreads);
  while (fgets(line, sizeof line, stdin))
    if (strstr(line, "\"function\":\"leaf\"") && strstr(line, wanted))
      return 0;
  fprintf(stderr, "leaf has not %s\n", wanted);
  return 1;
}
__attribute__((no_instrument_function)) int main(int count, char **arguments) {
  calls = atol(arguments[1]) * 1000000 / kThreads;
  if (count > 2)
    return check();
  pthread_t threads[kThreads];
  for (int i = 0; i < kThreads; i++)
    pthread_create(&threads[i], NULL, run, NULL);
  for (int i = 0; i < kThreads; i++)
    pthread_join(threads[i], NULL);
}
