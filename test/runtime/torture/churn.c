// Threads that come and go in every way, vfork children and signal handlers, while the buffer is full in every mode: each event is kept or counted, once.
// RUN: %traced_cc -O1 %s -o %t
// RUN: %trace -p function -k 1024 -s buffer_mode=drop -- %t %t.calls 8
// RUN: %show --python 'sum(len(r.events) for r in buffers[0].rings) + buffers[0].overwritten_events() + buffers[0].all_lost_events() == int(open("%t.calls").read())' %t.buf
// RUN: %trace -p function -k 1024 -s buffer_mode=overwrite -- %t %t.calls 8
// RUN: %show --python 'sum(len(r.events) for r in buffers[0].rings) + buffers[0].overwritten_events() + buffers[0].all_lost_events() == int(open("%t.calls").read())' %t.buf
// RUN: %trace -p function -k 1024 -s buffer_mode=wait:5 -- %t %t.calls 8
// RUN: %show --python 'sum(len(r.events) for r in buffers[0].rings) + buffers[0].overwritten_events() + buffers[0].all_lost_events() == int(open("%t.calls").read())' %t.buf
// RUN: %nophook record -o %t.data -p function -m 1 -- %t %t.calls 8 2> %t.said && %python %S/Inputs/sums.py %t.calls %t.said
// RUN: %nophook record -o %t.data -p function -m 1 --overwrite -- %t %t.calls 8 2> %t.said && %python %S/Inputs/sums.py %t.calls %t.said
// RUN: %nophook record -o %t.data -p function -m 1 --wait 100 -- %t %t.calls 8 2> %t.said && %python %S/Inputs/sums.py %t.calls %t.said
#include "program.h"
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { kLong = 2, kShort = 8, kWays = 4 };
static atomic_int over;
static atomic_ulong calls;
static pthread_key_t key;

NOINLINE static void leaf(int n) { KEEP(n); }
UNTRACED static void call(int times) {
  for (int i = 0; i < times; i++)
    leaf(i);
  calls += (unsigned long)times;
}
UNTRACED static void on_alarm(int number) { call(number % 8 + 1); }
UNTRACED static void late(void *unused) {
  (void)unused;
  call(3);
}
UNTRACED static void *run_long(void *unused) {
  while (!over)
    call(1000);
  return unused;
}
UNTRACED static void *run_short(void *argument) {
  long number = (long)argument;
  call((int)(number * 37 % 300) + 1);
  switch (number % kWays) {
  case 0:
    break;
  case 1: // destructors write on, in each of their rounds
    pthread_setspecific(key, argument);
    break;
  case 2:
    pthread_exit(argument);
  default: { // its end is not reported
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, NULL);
    syscall(SYS_exit, 0);
  }
  }
  return NULL;
}

UNTRACED int main(int count, char **arguments) {
  struct itimerval timer = {{0, 2000}, {0, 2000}}, none = {{0, 0}, {0, 0}};
  struct sigaction action = {.sa_handler = on_alarm, .sa_flags = SA_RESTART};
  pthread_t threads[kLong], some[kShort];
  pthread_attr_t small;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, 128 << 10);
  pthread_key_create(&key, late);
  sigaction(SIGALRM, &action, NULL);
  for (int i = 0; i < kLong; i++)
    EXPECT_EQ(pthread_create(&threads[i], NULL, run_long, NULL), 0);
  setitimer(ITIMER_REAL, &timer, NULL);
  for (long round = 0; round < atol(arguments[count - 1]); round++) {
    for (long batch = 0; batch < 10; batch++) {
      for (long i = 0; i < kShort; i++)
        EXPECT_EQ(pthread_create(&some[i], &small, run_short, (void *)(round * 80 + batch * 8 + i + 1)), 0);
      for (int i = 0; i < kShort; i++)
        pthread_join(some[i], NULL);
    }
    pid_t pid = vfork();
    if (pid == 0) {
      call(5000);
      _exit(0);
    }
    waitpid(pid, NULL, 0);
  }
  over = 1;
  for (int i = 0; i < kLong; i++)
    pthread_join(threads[i], NULL);
  setitimer(ITIMER_REAL, &none, NULL);
  FILE *file = fopen(arguments[count - 2], "w");
  fprintf(file, "%lu", calls);
  return fclose(file) != 0 || failures;
}
