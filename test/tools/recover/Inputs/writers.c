// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads that make known calls and count the returned ones in a shared file, until they are
// killed; a timer's handler makes calls of its own between them. With `forks` there are two such
// processes, and one of them goes on forking children that make five steps and end.
//
//      writers FILE SPIN [forks]      FILE: for each thread, its id and its counts
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { kThreads = 3, kChildSteps = 5 };
#define NOINLINE __attribute__((noinline))
#define UNTRACED __attribute__((no_instrument_function))

struct progress {
  uint64_t tid;
  uint64_t steps;
  uint64_t handlers;
  uint64_t pid;
};
static struct progress *progress; // progress of two processes' threads; behind them, of children that ended
static __thread struct progress *mine;
static int spin;

NOINLINE static void inner(int n) {
  for (volatile int i = 0; i < spin + n % 7; i++)
    ;
}
NOINLINE static void step(int n) {
  inner(n);
  if (n % 3 == 0)
    inner(n + 1);
}
NOINLINE static void in_handler(void) { __asm__ volatile(""); }
UNTRACED static void on_alarm(int signal) {
  (void)signal;
  in_handler();
  if (mine)
    __atomic_store_n(&mine->handlers, mine->handlers + 1, __ATOMIC_RELEASE);
}

UNTRACED static void mask_alarm(int how) {
  sigset_t alarm;
  sigemptyset(&alarm);
  sigaddset(&alarm, SIGALRM);
  pthread_sigmask(how, &alarm, 0);
}

UNTRACED static void *run(void *argument) {
  mine = argument;
  mask_alarm(SIG_UNBLOCK);
  mine->pid = (uint64_t)getpid();
  mine->tid = (uint64_t)gettid();
  for (int n = 0;; n++) {
    step(n);
    __atomic_store_n(&mine->steps, (uint64_t)n + 1, __ATOMIC_RELEASE);
  }
}

// The alarm is for the threads, which are to be interrupted.
UNTRACED static void start(struct progress *first) {
  struct itimerval every = {{0, 500}, {0, 500}};
  mask_alarm(SIG_BLOCK);
  signal(SIGALRM, on_alarm);
  setitimer(ITIMER_REAL, &every, 0);
  pthread_t thread;
  for (int i = 0; i < kThreads; i++)
    pthread_create(&thread, 0, run, &first[i]);
}

UNTRACED int main(int count, char **arguments) {
  int fd = count > 2 ? open(arguments[1], O_RDWR) : -1;
  progress = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (progress == MAP_FAILED)
    return 1;
  spin = atoi(arguments[2]);
  int forks = count > 3;
  if (forks && fork() == 0) {
    start(progress + kThreads);
    for (;;)
      pause();
  }
  start(progress);
  while (forks) {
    pid_t child = fork();
    if (child == 0) {
      for (int n = 0; n < kChildSteps; n++)
        step(n);
      _exit(0);
    }
    if (child > 0 && waitpid(child, 0, 0) == child)
      __atomic_fetch_add(&progress[2 * kThreads].steps, 1, __ATOMIC_RELEASE);
    usleep(2000);
  }
  for (;;)
    pause();
}
