// In a flight recorder that one thread has filled, each later thread finds a sub-buffer, as long as there are as many; a thread beyond that loses its events, which are counted, until another one ends.
// RUN: %traced_cc -O1 %s -o %t
// RUN: %trace -p function -k 1024 -s buffer_mode=overwrite -- %t
// RUN: %show --python 'sorted(len(r.events) for r in buffers[0].rings if len(r.events) < 1000) == [100] * 15' %t.buf
// RUN: %show --python 'buffers[0].all_lost_events() == 200 and buffers[0].overwritten_events() == 400000 - max(len(r.events) for r in buffers[0].rings) + 100' %t.buf
#include "program.h"
#include <pthread.h>
#include <semaphore.h>

enum { kThreads = 17 }; // 16 sub-buffers: main's, and those of 15 threads
static sem_t written, may_end[kThreads];

NOINLINE static void early(int n) {
  KEEP(n);
}
NOINLINE static void late(int n) {
  KEEP(n);
}
UNTRACED static void *run(void *number) {
  for (int i = 0; i < 100; i++)
    late(i);
  sem_post(&written);
  sem_wait(&may_end[(long)number]);
  return NULL;
}
UNTRACED static void end(pthread_t thread, int number) {
  sem_post(&may_end[number]);
  pthread_join(thread, NULL);
}
UNTRACED int main(void) {
  pthread_t threads[kThreads], last;
  sem_init(&written, 0, 0);
  for (int i = 0; i < 400000; i++)
    early(i);
  for (long i = 0; i < kThreads; i++) {
    sem_init(&may_end[i], 0, 0);
    EXPECT_EQ(pthread_create(&threads[i], NULL, run, (void *)i), 0);
    sem_wait(&written);
  }
  end(threads[0], 0); // its 100 calls are the oldest that may go
  sem_post(&may_end[0]); // ends the next thread
  EXPECT_EQ(pthread_create(&last, NULL, run, (void *)0), 0);
  pthread_join(last, NULL);
  for (int i = 1; i < kThreads; i++)
    end(threads[i], i);
  return failures;
}
