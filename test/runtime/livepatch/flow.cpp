// Calls that leave a patched function in other ways than by its end: exceptions that pass through old and new versions
// while a transition lasts, recursion, and a tail call out of an old version, which has left it.
// RUN: %traced_cxx -O1 %s -o %t %linked && %t
#include "program.h"
#include <cerrno>
#include <livepatch.h>
#include <pthread.h>
#include <sched.h>

extern "C" {
NOINLINE int leaf(int n) { KEEP(&n); return n; }
NOINLINE int new_leaf(int n) { KEEP(&n); return n + 1000; }
NOINLINE int throws(int n) { KEEP(&n); if (n == 0) throw leaf(1); return throws(n - 1) + leaf(1); }
NOINLINE int new_throws(int n) { KEEP(&n); if (n == 0) throw leaf(2); return throws(n - 1) + leaf(2); }
static int inside, leave;
NOINLINE int jumps(int n) {
  KEEP(&n);
  __atomic_store_n(&inside, 1, __ATOMIC_RELEASE);
  while (!__atomic_load_n(&leave, __ATOMIC_ACQUIRE))
    sched_yield();
  [[clang::musttail]] return leaf(n);
}
NOINLINE int new_jumps(int n) { KEEP(&n); return leaf(n) + 5; }
}
static klp_func funcs[] = {{"leaf", (void *)new_leaf, 0}, {"throws", (void *)new_throws, 0}, {"jumps", (void *)new_jumps, 0}, {}};
static klp_object objects[] = {{nullptr, funcs, {}, nullptr}, {}};
static klp_patch patch = {objects, nullptr, false, nullptr};

UNTRACED static int caught(int depth) {
  try {
    return throws(depth);
  } catch (int thrown) {
    return thrown;
  }
}
static int result;
UNTRACED static void *run(void *unused) {
  result = jumps(7);
  return unused;
}
UNTRACED static void wait() {
  while (klp_patch_status(&patch) & KLP_TRANSITION)
    sched_yield();
}

UNTRACED int main() {
  EXPECT_EQ(caught(5), 1);
  pthread_t thread;
  pthread_create(&thread, nullptr, run, nullptr);
  while (!__atomic_load_n(&inside, __ATOMIC_ACQUIRE))
    sched_yield();
  EXPECT_EQ(klp_enable_patch(&patch), 0);
  for (int i = 0; i < 100; i++)
    EXPECT_EQ(caught(i % 7), 1002);
  EXPECT_EQ(klp_patch_status(&patch), KLP_ENABLED | KLP_TRANSITION); // the thread is in jumps()
  __atomic_store_n(&leave, 1, __ATOMIC_RELEASE);
  pthread_join(thread, nullptr);
  EXPECT_EQ(result, 1007); // it has left jumps() before it enters leaf()
  wait();
  EXPECT_EQ(klp_disable_patch(&patch), 0);
  for (int i = 0; i < 100; i++)
    EXPECT_EQ(caught(i % 7), 1);
  wait();
  EXPECT_EQ(klp_patch_status(&patch), 0);
  return failures;
}
