// The trace of the longest latency is whole or not there when its process is killed at any moment; a handler's call counts, and a fork child has its own.
// RUN: %traced_cc -O1 %s -o %t %linked
// RUN: %trace_linked -p function -s 'set_latency_function=work tracing_max_latency=0 buffer_mode=overwrite' -- %t killed
// RUN: %show --python 'sum(b.snapshot == 17 for b in buffers) > 0 and all("work" in [b.maps.name(e.id) for e in r.events] for b in buffers if b.snapshot for r in b.rings)' %t.buf
// RUN: %trace_linked -p function -s 'set_latency_function=work tracing_max_latency=0 buffer_mode=overwrite' -- %t other
// RUN: %show --python 'len([b for b in buffers if b.snapshot == 17]) == 2' %t.buf
#include "../tracefs/tree.h"
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

NOINLINE static void work(long us) {
  struct timespec pause = {us / 1000000, us % 1000000 * 1000};
  nanosleep(&pause, NULL);
  KEEP(us);
}
UNTRACED static void handler(int unused) {
  (void)unused;
  work(50000);
}
// Each call is longer than the one before: a snapshot each.
UNTRACED static void child(long *calls) {
  for (long us = 100;; us += 100, ++*calls)
    work(us);
}
UNTRACED static void kill_children(void) {
  volatile long *calls = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  for (int round = 0; round < 10; round++) {
    *calls = 0;
    pid_t pid = fork();
    if (pid == 0)
      child((long *)calls);
    while (*calls < 3 + round)
      usleep(50);
    usleep((useconds_t)round * 97); // some moment of the next
    EXPECT(kill(pid, SIGKILL) == 0 && waitpid(pid, NULL, 0) == pid);
  }
}
UNTRACED int main(int count, char **arguments) {
  if (arguments[count - 1][0] == 'k') {
    kill_children();
    return failures != 0;
  }
  signal(SIGUSR1, handler);
  work(1000);
  raise(SIGUSR1);
  double own = atof(cat("tracing_max_latency"));
  EXPECT(own >= 50000);
  pid_t pid = fork();
  if (pid == 0) {
    long longer = (long)own + 40000;
    work(longer);
    exit(failures || atof(cat("tracing_max_latency")) < (double)longer);
  }
  int status;
  EXPECT(waitpid(pid, &status, 0) == pid && status == 0);
  EXPECT(atof(cat("tracing_max_latency")) == own);
  return failures != 0;
}
