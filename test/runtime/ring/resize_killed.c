// A process that is killed while its buffer becomes larger and smaller leaves a buffer that can be read, with or without the part that was being given up.
// RUN: %traced_cc -O1 %s -o %t %linked
// RUN: %trace_linked -p function -l work -k 1024 -- %t && %show --python 'sum(b.rings != [] for b in buffers) == 8 and all(r.holes <= 2 for b in buffers for r in b.rings)' %t.buf
// RUN: %trace_linked -p function -l work -k 1024 -s buffer_mode=overwrite -- %t && %show --python 'sum(b.rings != [] for b in buffers) == 8 and sum(b.overwritten_events() > 0 for b in buffers) > 0' %t.buf
#include "resize.h"
#include <signal.h>
#include <sys/wait.h>

enum { kThreads = 3, kSubbufEvents = 4092 };
UNTRACED static void *write_on(void *shared) {
  for (int i = 0;; i++) {
    work(i);
    __atomic_fetch_add((long *)shared, 1, __ATOMIC_RELEASE);
  }
}
UNTRACED static void child(long *shared) {
  pthread_t thread;
  work(0); // opens this process's buffer
  for (int i = 0; i < kThreads; i++)
    pthread_create(&thread, NULL, write_on, shared);
  for (int i = 0;; i++)
    if (resize(i % 2 ? "1024" : "4096") != 0)
      abort();
}
UNTRACED int main(void) {
  long *shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  for (int round = 0; round < 8; round++) {
    *shared = 0;
    pid_t pid = fork();
    if (pid == 0)
      child(shared);
    while (__atomic_load_n(shared, __ATOMIC_ACQUIRE) < 50000 + 7919 * round)
      usleep(100);
    int status = 0;
    EXPECT(kill(pid, SIGKILL) == 0 && waitpid(pid, &status, 0) == pid);
    EXPECT(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    long missing = *shared + 1 - all_events(find_buffer_of(pid));
    EXPECT(missing <= 0); // all that was completed is there, or counted
    // At worst: a call of each thread, and one sub-buffer that is counted, and still there.
    EXPECT(-missing <= kThreads + kSubbufEvents * (kThreads + 1));
  }
  return failures != 0;
}
