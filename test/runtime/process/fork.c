// A fork child traces into a buffer of its own and never writes its parent's: after fork, a
// fork that libc does not know of, and in a child of a process with threads.
// RUN: %traced_cc -O1 %s -o %t
// RUN: %trace -p function -- %t > %t.out && %show --expect %t.out %t.buf
// RUN: %trace -p function_graph -- %t > %t.out && %show --expect %t.out %t.buf
// RUN: %show --python 'len(buffers) == 7' --python 'all(b.ppid for b in buffers)' %t.buf
// RUN: %show --python 'all(r.tid == b.pid for b in buffers[1:] for r in b.rings)' %t.buf
#include "raw_fork.h"
#include <pthread.h>
#include <semaphore.h>
#include <sys/wait.h>

NOINLINE static void work(void) { KEEP(0); }
NOINLINE static void nested(void) {
  work();
  KEEP(0);
}
UNTRACED static void report(int works) { // one write: lines of processes do not mix
  char line[64];
  int n = snprintf(line, sizeof line, "%d work %d\n", getpid(), works);
  EXPECT(write(1, line, (size_t)n) == n);
}
// Open in the parent when the child begins, and returned through in the child.
NOINLINE static pid_t fork_in_frame(int raw) {
  pid_t pid = raw ? raw_fork() : fork();
  KEEP(&pid);
  return pid;
}
static sem_t idle_worked;
UNTRACED static void *idle(void *unused) {
  work();
  sem_post(&idle_worked);
  pause();
  return unused;
}
UNTRACED int main(void) {
  int works = 0;
  sem_init(&idle_worked, 0, 0);
  pthread_t thread;
  for (int i = 0; i < 6; i++) {
    for (int k = 0; k < 1000; k++, works++)
      work();
    pid_t pid = fork_in_frame(i & 1);
    if (pid == 0) {
      for (int k = 0; k < 100 * (i + 1); k++)
        nested();
      report(100 * (i + 1));
      _exit(0);
    }
    if (i == 2)
      pthread_create(&thread, NULL, idle, NULL), works++;
    waitpid(pid, NULL, 0);
  }
  sem_wait(&idle_worked);
  report(works);
  return failures;
}
