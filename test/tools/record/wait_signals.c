// A thread that waits for a stopped recorder (--wait) still takes its signals: here one that lets the recorder go on, so that nothing is lost.
// RUN: %traced_cc %s -o %t && %nophook record -m 1 --wait 10000 -l work -p function -o %t.data -- %t 2>&1 | FileCheck %s
// CHECK: nophook: 200000 events of 1 function in 1 thread, 0 events lost
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>
__attribute__((noinline)) static void work(int n) { asm volatile("" : "+r"(n)); }
static pid_t recorder;
static void go_on(int signal) { kill(recorder, signal ? SIGCONT : 0); }
int main(void) {
  recorder = getppid();
  signal(SIGALRM, go_on);
  kill(recorder, SIGSTOP);
  struct itimerval soon = {{0, 0}, {0, 300000}};
  setitimer(ITIMER_REAL, &soon, 0);
  for (int i = 0; i < 200000; i++)
    work(i);
  return 0;
}
