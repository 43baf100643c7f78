// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads that make known calls and tell in a shared file how many have returned, until somebody
// kills them; a timer's handler makes calls of its own meanwhile.
//
//      writers FILE      FILE: for each thread, its id and its count
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <unistd.h>

enum { kThreads = 3 };
#define NOINLINE __attribute__((noinline))
#define UNTRACED __attribute__((no_instrument_function))

struct progress {
  uint64_t tid;
  uint64_t steps;
};
static struct progress *progress;

NOINLINE static void inner(int n) {
  for (volatile int i = 0; i < 3000 + n % 7; i++)
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
}

UNTRACED static void *run(void *argument) {
  struct progress *mine = argument;
  mine->tid = (uint64_t)gettid();
  for (int n = 0;; n++) {
    step(n);
    __atomic_store_n(&mine->steps, (uint64_t)n + 1, __ATOMIC_RELEASE);
  }
}

UNTRACED int main(int count, char **arguments) {
  int fd = count > 1 ? open(arguments[1], O_RDWR) : -1;
  progress = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (progress == MAP_FAILED)
    return 1;
  signal(SIGALRM, on_alarm);
  struct itimerval every = {{0, 500}, {0, 500}};
  setitimer(ITIMER_REAL, &every, 0);
  pthread_t thread;
  for (int i = 0; i < kThreads; i++)
    pthread_create(&thread, 0, run, &progress[i]);
  for (;;)
    pause();
}
