// A vfork child that writes into a full flight recorder takes nothing of its parent's threads: each event of theirs is kept or counted.
// RUN: %traced_cc -O1 %s -o %t
// RUN: %trace -p function -k 1024 -s buffer_mode=overwrite -- %t %t.calls
// RUN: %show --python 'buffers[0].lost_events() == 0' %t.buf
// RUN: %show --python 'sum(len(r.events) for r in buffers[0].rings) + buffers[0].overwritten_events() == int(open("%t.calls").read())' %t.buf
#include "program.h"
#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

static atomic_int over;
static atomic_ulong calls;
NOINLINE static void in_worker(void) { KEEP(0); }
NOINLINE static void in_child(void) { KEEP(0); }
UNTRACED static void *run(void *unused) {
  unsigned long count = 0;
  for (; !atomic_load(&over) || count < 100000; count++)
    in_worker();
  calls += count;
  return unused;
}
UNTRACED int main(int count, char **arguments) {
  enum { kThreads = 2, kChildren = 20, kCalls = 20000 };
  pthread_t threads[kThreads];
  for (int i = 0; i < kThreads; i++)
    EXPECT_EQ(pthread_create(&threads[i], NULL, run, NULL), 0);
  in_child();
  for (int i = 0; i < kChildren; i++) {
    pid_t pid = vfork();
    if (pid == 0) {
      for (int k = 0; k < kCalls; k++)
        in_child();
      _exit(0);
    }
    waitpid(pid, NULL, 0);
  }
  over = 1;
  for (int i = 0; i < kThreads; i++)
    pthread_join(threads[i], NULL);
  FILE *file = fopen(arguments[count - 1], "w");
  fprintf(file, "%lu", calls + kChildren * kCalls + 1);
  return fclose(file) != 0 || failures;
}
