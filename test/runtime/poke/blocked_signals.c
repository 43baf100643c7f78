// With a thread that blocks every signal for good and a handler with a full mask at 1 kHz, each
// site of the plugin's is changed, at each level of optimisation for size.
// RUN: %traced_cc -O1 %s -o %t.O1 %static
// RUN: %trace_linked -p '' -k 1024 -- %t.O1
// RUN: %traced_cc -Os %s -o %t.Os %static
// RUN: %trace_linked -p '' -k 1024 -- %t.Os
// RUN: %traced_cc -Oz -fcf-protection=full %s -o %t.Oz %static
// RUN: %trace_linked -p '' -k 1024 -- %t.Oz
// RUN: not grep "not traced\|left alone" %t.buf/*.buf
#include "text.h"
#include <ftrace.h>
#include <pthread.h>
#include <signal.h>
#include <sys/time.h>

// Bodies of different lengths: their neighbours lie at all offsets unless they are aligned.
#define BODIES(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15)
#define DEFINE(n)                                                                                  \
  NOINLINE void body_##n(void) {                                                                   \
    __asm__ volatile(".skip " #n ", 0x90");                                                        \
    __atomic_fetch_add(&bodies, 1, __ATOMIC_RELAXED);                                              \
  }
#define ADDRESS(n) body_##n,
static long bodies, calls, ticks;
static int over;
BODIES(DEFINE)
static void (*const functions[])(void) = {BODIES(ADDRESS)};
enum { kFunctions = sizeof functions / sizeof *functions };

UNTRACED static void call_all(void) {
  for (int i = 0; i < kFunctions; i++)
    functions[i]();
  __atomic_fetch_add(&calls, kFunctions, __ATOMIC_RELAXED);
}
UNTRACED static void on_tick(int number) {
  KEEP(number);
  call_all();
  __atomic_fetch_add(&ticks, 1, __ATOMIC_RELAXED);
}
UNTRACED static void *run(void *blocks) {
  sigset_t set;
  sigfillset(&set);
  if (blocks)
    pthread_sigmask(SIG_SETMASK, &set, NULL);
  while (!__atomic_load_n(&over, __ATOMIC_RELAXED))
    call_all();
  return NULL;
}
UNTRACED static int is_site_of(const unsigned char *ip, unsigned first) {
  ip += memcmp(ip, "\xf3\x0f\x1e\xfa", 4) == 0 ? 4 : 0;
  return *ip == first;
}
UNTRACED static int sites_with(unsigned first) {
  int count = 0;
  for (int i = 0; i < kFunctions; i++)
    count += is_site_of((const unsigned char *)functions[i], first);
  return count;
}

UNTRACED int main(void) {
  pthread_t threads[2];
  struct itimerval tick = {{0, 1000}, {0, 1000}};
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = on_tick;
  sigfillset(&action.sa_mask);
  sigaction(SIGALRM, &action, NULL);
  setitimer(ITIMER_REAL, &tick, NULL);
  for (int i = 0; i < 2; i++)
    pthread_create(&threads[i], NULL, run, i ? &over : NULL);
  for (int i = 0; i < 100 || __atomic_load_n(&ticks, __ATOMIC_RELAXED) < 50; i++) {
    EXPECT_EQ(tracing_set_tracer("function"), 0);
    EXPECT_EQ(sites_with(0xe8), kFunctions);
    EXPECT_EQ(tracing_set_tracer("function_graph"), 0);
    EXPECT_EQ(sites_with(0xe9), kFunctions);
    EXPECT_EQ(tracing_set_tracer("nop"), 0);
    EXPECT_EQ(text_differing(), 0);
  }
  __atomic_store_n(&over, 1, __ATOMIC_RELAXED);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], NULL);
  EXPECT_EQ(bodies, calls);
  return failures != 0;
}
