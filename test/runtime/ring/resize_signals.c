// Handlers that trace while their thread makes the buffer larger and smaller, or forks: everything is there or counted, in the child too, which begins with the size of then.
// RUN: %traced_cc -O1 %s -o %t %linked
// RUN: %trace_linked -p function -l work -k 1024 -- %t && %show --python 'sorted(b.subbuf_most for b in buffers) == [32, 64] + [256] * 5' %t.buf
// RUN: %trace_linked -p function -l work -k 1024 -s buffer_mode=overwrite -- %t && %show --python 'len(buffers) == 7' %t.buf
#include "resize.h"
#include <signal.h>
#include <sys/wait.h>

static long handled;
UNTRACED static void handler(int unused) {
  (void)unused;
  for (int i = 0; i < 300; i++, handled++)
    work(i);
}
UNTRACED static void *disturb(void *victim) {
  while (!__atomic_load_n(&over, __ATOMIC_ACQUIRE)) {
    pthread_kill(*(pthread_t *)victim, SIGUSR1);
    sched_yield();
  }
  return NULL;
}
UNTRACED static int child(int round) {
  handled = 0;
  raise(SIGUSR1);
  struct nophook_buffer *own = find_buffer();
  EXPECT_EQ(own->subbuf_most, 256);
  EXPECT_EQ(all_events(own), handled);
  if (round == 0)
    EXPECT_EQ(resize("4096"), 0);
  return failures != 0;
}
UNTRACED int main(void) {
  pthread_t self = pthread_self(), other;
  signal(SIGUSR1, handler);
  work(0);
  struct nophook_buffer *buffer = find_buffer();
  pthread_create(&other, NULL, disturb, &self);
  for (int round = 0; round < 6; round++) {
    for (int i = 0; i < 40; i++) {
      EXPECT_EQ(resize("2048"), 0);
      EXPECT_EQ(resize("16384"), 0);
    }
    pid_t pid = fork();
    if (pid == 0)
      _exit(child(round));
    int status = 0;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
      ;
    EXPECT_EQ(status, 0);
  }
  __atomic_store_n(&over, 1, __ATOMIC_RELEASE);
  pthread_join(other, NULL);
  EXPECT_EQ(resize("2048"), 0);
  raise(SIGUSR1);
  EXPECT(handled >= 300);
  EXPECT_EQ(all_events(buffer), handled + 1);
  return failures != 0;
}
