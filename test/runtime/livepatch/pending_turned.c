// A thread that waits inside the old version is pending while a patch is enabled, and no longer once the patch is turned
// round: klp_pending_threads() forgets what the last look has seen of the other direction.
// RUN: %traced_cc -O1 %s -o %t %linked && %t
#include "klp.h"
#include <pthread.h>

static int inside, go, tid;
UNTRACED __attribute__((noinline)) static void wait_inside(void) {
  __atomic_store_n(&tid, (int)syscall(SYS_gettid), __ATOMIC_RELAXED);
  set(&inside, 1);
  while (!__atomic_load_n(&go, __ATOMIC_ACQUIRE))
    pause_briefly();
}
NOINLINE void waits(void) { int n = 0; wait_inside(); KEEP(&n); }
NOINLINE void new_waits(void) { int n = 1; KEEP(&n); }
PATCH(patch, FUNC(waits, new_waits));
UNTRACED static void *run(void *unused) { waits(); return unused; }
UNTRACED static int is_pending(void) {
  int tids[64], count = klp_pending_threads(tids, 64);
  while (count > 0 && tids[count - 1] != tid)
    count--;
  return count > 0;
}
UNTRACED int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, run, NULL);
  wait_until(&inside, 1);
  EXPECT_EQ(klp_enable_patch(&patch), 0);
  for (int looks = 0; looks < 100; pause_briefly()) // until the pauses between looks are long
    looks += is_pending();
  EXPECT_EQ(klp_disable_patch(&patch), 0);
  EXPECT_EQ(is_pending(), 0);
  set(&go, 1);
  pthread_join(thread, NULL);
  wait_for_patch(&patch);
  EXPECT_EQ(klp_patch_status(&patch), 0);
  return failures;
}
