// A patch changes its functions for all threads and gives them back: arguments in registers of all
// kinds, on the stack, and results arrive; a thread that waits inside the old version finishes there
// and keeps the transition from ending; the text is the file's at the end.
// RUN: %traced_cc -O1 %s -o %t %linked && %t
// RUN: env NOPHOOK_POKE=skip %t
// RUN: env NOPHOOK_POKE=trap %t
#include "klp.h"
#include <pthread.h>

struct Large { long words[12]; };
NOINLINE double mixed(int a, double b, long c, float d, struct Large e, long f, long g, long h, long i, double j) {
  KEEP(&a);
  return a + b + (double)c + (double)d + (double)e.words[11] + (double)(f + g + h + i) + j;
}
NOINLINE double new_mixed(int a, double b, long c, float d, struct Large e, long f, long g, long h, long i, double j) {
  KEEP(&a);
  return 1000000 + a + b + (double)c + (double)d + (double)e.words[11] + (double)(f + g + h + i) + j;
}
static int inside, leave;
// The compiler must not know what they return: it would not ask.
NOINLINE int waits(void) { int n = 1; KEEP(&n); set(&inside, 1); wait_until(&leave, 1); return n; }
NOINLINE int new_waits(void) { int n = 2; KEEP(&n); return n; }
NOINLINE int other(void) { int n = 10; KEEP(&n); return n; }
NOINLINE int new_other(void) { int n = 20; KEEP(&n); return n; }
NOINLINE int calls_other(void) { int n = other(); KEEP(&n); return n + 1; }
NOINLINE int new_calls_other(void) { int n = other(); KEEP(&n); return n + 2; }
PATCH(patch, FUNC(mixed, new_mixed), FUNC(waits, new_waits), FUNC(other, new_other), FUNC(calls_other, new_calls_other));

static int results[3];
UNTRACED static void *run(void *unused) {
  results[0] = waits();
  results[1] = calls_other(); // the same thread, not in the old version any more
  results[2] = waits();
  return unused;
}
UNTRACED static void check(int is_new) {
  struct Large large = {.words = {[11] = 1000}};
  EXPECT(mixed(1, 2.5, 3, 4.5f, large, 6, 7, 8, 9, 0.25) == 1041.25 + (is_new ? 1000000 : 0));
  EXPECT_EQ(other(), is_new ? 20 : 10);
  EXPECT_EQ(calls_other(), is_new ? 22 : 11);
}

UNTRACED int main(void) {
  check(0);
  for (int round = 0; round < 3; round++) {
    EXPECT_EQ(klp_enable_patch(&patch), 0);
    check(1); // this thread is in none of them
    EXPECT_EQ(klp_enable_patch(&patch), -EINVAL);
    wait_for_patch(&patch);
    EXPECT_EQ(klp_patch_status(&patch), KLP_ENABLED);
    check(1);
    EXPECT_EQ(waits(), 2);
    EXPECT_EQ(klp_disable_patch(&patch), 0);
    check(0);
    EXPECT_EQ(klp_disable_patch(&patch), -EINVAL);
    wait_for_patch(&patch);
    EXPECT_EQ(klp_patch_status(&patch), 0);
    check(0);
    EXPECT_EQ(text_differing(), 0);
  }
  pthread_t thread;
  int pending = 0;
  pthread_create(&thread, NULL, run, NULL);
  wait_until(&inside, 1);
  EXPECT_EQ(klp_enable_patch(&patch), 0);
  while (pending_threads(&pending, 1) != 1 || pending == getpid()) // the other thread is named
    pause_briefly();
  for (int i = 0; i < 50; i++) {
    check(1);
    EXPECT_EQ(klp_patch_status(&patch), KLP_ENABLED | KLP_TRANSITION);
    pause_briefly();
  }
  set(&leave, 1);
  pthread_join(thread, NULL);
  EXPECT_EQ(results[0], 1);
  EXPECT_EQ(results[1], 22);
  EXPECT_EQ(results[2], 2);
  wait_for_patch(&patch);
  disable_and_wait(&patch);
  check(0);
  EXPECT_EQ(text_differing(), 0);
  return failures;
}
