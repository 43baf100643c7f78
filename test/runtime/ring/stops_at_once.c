// Threads that write, and threads that begin, while tracing is switched off and on: once it is off, no call of any thread is recorded, and once it is on, calls of each thread are.
// RUN: %traced_cc -O1 %s -o %t %linked
// RUN: %trace_linked -p function -k 4096 -s buffer_mode=overwrite -- %t
// RUN: %show --python 'not {"while_off"} & {buffers[0].maps.name(e.id) for r in buffers[0].rings for e in r.events}' %t.buf
// RUN: %show --python 'sum(buffers[0].maps.name(e.id) == "always" for r in buffers[0].rings for e in r.events) >= 2' %t.buf
#include "program.h"
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <tracefs.h>

enum { kThreads = 3, kRounds = 60, kCalls = 20 };
enum phase { kOn, kBetween, kOff, kOver };
static enum phase phase;
static struct { long steps; char others[120]; } done[kThreads];

NOINLINE static void always(int n) { KEEP(n); }
NOINLINE static void while_off(int n) { KEEP(n); }

UNTRACED static enum phase phase_now(void) { return __atomic_load_n(&phase, __ATOMIC_ACQUIRE); }
UNTRACED static void *run(void *raw) {
  long steps = 0;
  for (enum phase now; (now = phase_now()) != kOver;) {
    if (now == kOff)
      while_off(1);
    else
      always(1);
    __atomic_store_n(&done[(long)raw].steps, ++steps, __ATOMIC_RELEASE);
  }
  return NULL;
}
UNTRACED static void *begin(void *unused) {
  while_off(2);
  return unused;
}
// Each thread has begun and ended this many steps since.
UNTRACED static void go_on_until(int steps) {
  for (int i = 0; i < kThreads; i++)
    for (long from = __atomic_load_n(&done[i].steps, __ATOMIC_ACQUIRE);
         __atomic_load_n(&done[i].steps, __ATOMIC_ACQUIRE) < from + steps + 1;)
      sched_yield();
}
UNTRACED static void set(const char *file, const char *text) {
  EXPECT_EQ(tracefs_write(file, text, strlen(text), 0), 0);
}

UNTRACED int main(void) {
  pthread_t threads[kThreads], young;
  for (long i = 0; i < kThreads; i++)
    EXPECT_EQ(pthread_create(&threads[i], NULL, run, (void *)i), 0);
  for (int i = 0; i < kRounds; i++) {
    __atomic_store_n(&phase, kOn, __ATOMIC_RELEASE);
    go_on_until(kCalls);
    set("tracing_on", "0");
    __atomic_store_n(&phase, kOff, __ATOMIC_RELEASE);
    EXPECT_EQ(pthread_create(&young, NULL, begin, NULL), 0);
    go_on_until(kCalls);
    if (i % 10 == 0)
      set("buffer_size_kb", i % 20 ? "4096" : "2048");
    EXPECT_EQ(pthread_join(young, NULL), 0);
    __atomic_store_n(&phase, kBetween, __ATOMIC_RELEASE);
    go_on_until(1);
    set("tracing_on", "1");
  }
  __atomic_store_n(&phase, kOver, __ATOMIC_RELEASE);
  for (int i = 0; i < kThreads; i++)
    pthread_join(threads[i], NULL);
  return failures != 0;
}
