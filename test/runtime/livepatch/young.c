// A thread that is born in a transition changes over at its first call. A thread that is born while the patch is
// turned round, and is inside the old version when it is turned round again, finishes there like any other.
// RUN: %traced_cc -O1 %s -o %t %linked && %t
#include "klp.h"
#include <pthread.h>
#include <unistd.h>

enum { kBefore, kBorn, kTurned, kThreads };
static int inside[kThreads], results[kThreads], ends[kThreads][2];
UNTRACED __attribute__((noinline)) static void sleep_as(long which) {
  char byte;
  set(&inside[which], 1);
  EXPECT(read(ends[which][0], &byte, 1) == 1);
}
NOINLINE int half(void) { int n = 0; KEEP(&n); return n; }
NOINLINE int new_half(void) { int n = 1; KEEP(&n); return n; }
NOINLINE int stays(long which) { int n = 10; sleep_as(which); KEEP(&n); return n + half(); }
NOINLINE int new_stays(long which) { int n = 20; sleep_as(which); KEEP(&n); return n + half(); }
PATCH(patch, FUNC(half, new_half), FUNC(stays, new_stays));

static pthread_t threads[kThreads];
UNTRACED static void *run(void *which) {
  results[(long)which] = stays((long)which);
  return NULL;
}
UNTRACED static void begin(long which) {
  EXPECT_EQ(pipe(ends[which]), 0);
  pthread_create(&threads[which], NULL, run, (void *)which);
  wait_until(&inside[which], 1);
}
UNTRACED static void end(long which, int expected) {
  EXPECT(write(ends[which][1], "", 1) == 1);
  pthread_join(threads[which], NULL);
  EXPECT_EQ(results[which], expected);
}

UNTRACED int main(void) {
  int tid;
  begin(kBefore);
  EXPECT_EQ(klp_enable_patch(&patch), 0);
  do // until the driver has looked at all threads
    pause_briefly();
  while (klp_pending_threads(&tid, 1) != 1);
  begin(kBorn);
  EXPECT_EQ(klp_disable_patch(&patch), 0);
  begin(kTurned);
  EXPECT_EQ(klp_patch_status(&patch), KLP_TRANSITION);
  EXPECT_EQ(klp_enable_patch(&patch), 0);
  end(kTurned, 10);
  end(kBorn, 21);
  EXPECT_EQ(klp_patch_status(&patch), KLP_ENABLED | KLP_TRANSITION);
  end(kBefore, 10);
  wait_for_patch(&patch);
  disable_and_wait(&patch);
  return failures;
}
