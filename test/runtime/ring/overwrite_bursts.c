// Threads that take each other's oldest sub-buffers, in bursts and from signal handlers: of each thread the newest events are there, and the others are counted, to the last one.
// RUN: %traced_cc -O1 %s -o %t
// RUN: %trace -p function -k 1024 -s buffer_mode=overwrite -- %t %t.calls
// RUN: %show --python 'all(len(r.events) + r.overwritten == dict(map(int, l.split()) for l in open("%t.calls"))[r.tid] for r in buffers[0].rings)' %t.buf
// RUN: %show --python 'len(buffers[0].rings) == 6 and buffers[0].all_lost_events() == 0 and all(r.holes == 0 for r in buffers[0].rings)' %t.buf
#include "program.h"
#include <pthread.h>
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

enum { kThreads = 6, kRounds = 30 };
static struct {
  pid_t tid;
  volatile long calls; // its own, its handlers included
} counts[kThreads];
static __thread int own = -1;
static pthread_barrier_t over;

NOINLINE static void work(int n) { KEEP(n); }
UNTRACED static void call(int times) {
  for (int i = 0; i < times; i++)
    work(i), __atomic_fetch_add(&counts[own].calls, 1, __ATOMIC_RELAXED);
}
UNTRACED static void on_alarm(int number) {
  if (own >= 0)
    call(number);
}
UNTRACED static void *run(void *number) {
  own = (int)(long)number;
  counts[own].tid = gettid();
  for (int round = 0; round < kRounds; round++) {
    call(own * 1500 + round * 100); // the first one is idle for most of the time
    usleep(own == 0 ? 5000 : 300);
  }
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, NULL);
  pthread_barrier_wait(&over);
  pause();
  return NULL;
}
UNTRACED int main(int count, char **arguments) {
  struct itimerval timer = {{0, 1000}, {0, 1000}};
  struct sigaction action = {.sa_handler = on_alarm, .sa_flags = SA_RESTART};
  pthread_t threads[kThreads];
  pthread_barrier_init(&over, NULL, kThreads + 1);
  sigaction(SIGALRM, &action, NULL);
  for (long i = 0; i < kThreads; i++)
    EXPECT_EQ(pthread_create(&threads[i], NULL, run, (void *)i), 0);
  setitimer(ITIMER_REAL, &timer, NULL);
  pthread_barrier_wait(&over);
  FILE *file = fopen(arguments[count - 1], "w");
  for (int i = 0; i < kThreads; i++)
    fprintf(file, "%d %ld\n", counts[i].tid, counts[i].calls);
  fclose(file);
  _exit(failures); // they live
}
