// The first events of a fork child may come from many threads at once, while one of them opens its buffer: each is recorded. Where there is no room for a buffer, none is recorded, and the child lives.
// RUN: %traced_cc -O1 %s -o %t
// RUN: %trace -p function_graph -k 1024 -- %t > %t.counts && %show --expect %t.counts %t.buf
// RUN: %trace -p function_graph -k 1024 -- %t gone | grep -x "work 0"
#include "program.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { kChildren = 60, kThreads = 8 };

NOINLINE void work(int n) { KEEP(n); }

static pthread_barrier_t barrier;

// Opening takes some 100 us: threads arrive all through it.
UNTRACED static void *body(void *number) {
  pthread_barrier_wait(&barrier);
  for (volatile long i = 0; i < (long)number * 20000; i++)
    ;
  work(1);
  work(2);
  return NULL;
}

UNTRACED static void child(void) {
  pthread_t ids[kThreads];
  pthread_barrier_init(&barrier, NULL, kThreads);
  for (long i = 0; i < kThreads; i++)
    pthread_create(&ids[i], NULL, body, (void *)i);
  for (int i = 0; i < kThreads; i++)
    pthread_join(ids[i], NULL);
  _exit(0);
}

UNTRACED int main(int count, char **arguments) {
  (void)arguments;
  if (count > 1) {
    const char *at = strstr(getenv("NOPHOOK"), "buffer_dir=") + 11;
    char command[600];
    snprintf(command, sizeof command, "rm -rf '%.*s'", (int)strcspn(at, " "), at);
    unsetenv("LD_PRELOAD");
    EXPECT_EQ(system(command), 0);
  }
  for (int i = 0; i < kChildren; i++) {
    pid_t pid = fork();
    int status = -1;
    if (!pid)
      child();
    EXPECT(waitpid(pid, &status, 0) == pid && status == 0);
  }
  printf("work %d\n", count > 1 ? 0 : kChildren * kThreads * 2);
  return failures;
}
