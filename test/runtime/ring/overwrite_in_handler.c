// A handler that fills a whole ring in the middle of an event overwrites nothing that is not complete.
// RUN: %traced_cc -O1 %s -o %t
// RUN: %trace -p function_graph -l work -l handled -k 1024 -s buffer_mode=overwrite -- %t
// RUN: %show --python 'all(r.holes == 0 for r in buffers[0].rings)' %t.buf
// RUN: %show --python 'sum(len(r.events) + r.overwritten + r.lost for r in buffers[0].rings) >= 2 * 100000' %t.buf
// RUN: %show --python 'all(a.tsc <= b.tsc for r in buffers[0].rings for a, b in zip(r.events, r.events[1:]))' %t.buf
#include "program.h"
#include <signal.h>
#include <sys/time.h>

NOINLINE static void work(int n) { KEEP(n); }
NOINLINE static void handled(int n) { KEEP(n); }
UNTRACED static void handler(int signal) {
  for (int i = 0; i < 80000; i++)
    handled(i + signal);
}
UNTRACED int main(void) {
  signal(SIGALRM, handler);
  struct itimerval every = {{0, 3000}, {0, 3000}};
  setitimer(ITIMER_REAL, &every, NULL);
  for (int i = 0; i < 100000; i++)
    work(i);
  every = (struct itimerval){0};
  setitimer(ITIMER_REAL, &every, NULL);
  return failures;
}
