// With --time, --where, --tid and --pid, graph has the calls and times of report --by function: a call that is partly in the time counts with that part, and a thread that is left out does not count.
// RUN: %traced_cc %s -o %t && %nophook record --args --retval -o %t.data -- %t
// RUN: %python %S/Inputs/window.py %nophook %t.data
#include <pthread.h>
#include <time.h>
#define SEEN __attribute__((noinline))
SEEN void pause_for(long ms) { nanosleep(&(struct timespec){0, ms * 1000000}, 0); }
SEEN int inner(int n) { pause_for(n); return n; }
SEEN int outer(int n) { int sum = inner(n) + inner(n); pause_for(n); return sum; }
static void *run(void *n) { for (int i = 0; i < 4; i++) outer((int)(long)n); return 0; }
int main(void) {
  pthread_t thread;
  if (pthread_create(&thread, 0, run, (void *)3)) return 1;
  run((void *)5);
  return pthread_join(thread, 0);
}
