// A server with workers that come and go, each with threads: every call of every process is in one recording.
// RUN: %traced_cc %s -o %t && rm -f %t.data
// RUN: %nophook record --wait 1000 -o %t.data -- %t %processes 2>&1 | FileCheck %s --check-prefix=LOST
// RUN: %nophook report --top 5 --json %t.data > %t.top && rm %t.data
// RUN: %t %processes check < %t.top
// LOST: 0 events lost
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
enum { kThreads = 4, kCalls = 10000, kAtOnce = 16 };
__attribute__((noinline)) static void request(long n) { __asm__ volatile("" : "+r"(n)); }
__attribute__((no_instrument_function)) static void *serve(void *unused) {
  for (long i = 0; i < kCalls; i++)
    request(i);
  return unused;
}
__attribute__((no_instrument_function)) static void worker(void) {
  pthread_t threads[kThreads];
  for (int i = 0; i < kThreads; i++)
    pthread_create(&threads[i], NULL, serve, NULL);
  for (int i = 0; i < kThreads; i++)
    pthread_join(threads[i], NULL);
}
__attribute__((no_instrument_function)) static int check(long processes) {
  char line[4096], wanted[64];
  snprintf(wanted, sizeof wanted, "\"hits\":%ld,", processes * kThreads * kCalls);
  while (fgets(line, sizeof line, stdin))
    if (strstr(line, "\"function\":\"request\"") && strstr(line, wanted))
      return 0;
  fprintf(stderr, "request has not %s\n", wanted);
  return 1;
}
__attribute__((no_instrument_function)) int main(int count, char **arguments) {
  long processes = atol(arguments[1]), running = 0;
  if (count > 2)
    return check(processes);
  for (long i = 0; i < processes; i++) {
    if (running == kAtOnce)
      running -= wait(NULL) > 0;
    running++;
    if (fork() == 0) {
      worker();
      return 0;
    }
  }
  while (wait(NULL) > 0) {
  }
}
