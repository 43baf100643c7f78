// Calls that are open when their thread ends end for readers while the program runs: in `trace`, and in `trace_pipe`.
// RUN: %traced_cc %s -o %t && rm -rf %t.run && mkdir %t.run
// RUN: env XDG_RUNTIME_DIR=%t.run %python %S/Inputs/thread_exit.py %nophook %lib/libnophook.so %t
#include <pthread.h>
#include <stdio.h>
__attribute__((noinline)) static void leaver(void) {
  pthread_exit(NULL);
}
__attribute__((noinline)) static void *body(void *unused) {
  leaver();
  __asm__ volatile("");
  return unused;
}
int main(void) {
  int count;
  setvbuf(stdout, NULL, _IOLBF, 0);
  while (scanf("%d", &count) == 1) { // so many threads, then an answer
    for (int i = 0; i < count; i++) {
      pthread_t thread;
      pthread_create(&thread, NULL, body, NULL);
      pthread_join(thread, NULL);
    }
    puts("done");
  }
}
