// No thread changes over before all functions of a patch lead to the transition: a thread that calls the first one over
// and over, and then the last one, has never changed over in between.
// RUN: %traced_cc -O1 %s -o %t %linked && %t 60
#include "klp.h"
#include <pthread.h>

struct Tree { int outer, inner; };
NOINLINE void inner(struct Tree *t) { t->inner = 0; KEEP(t); }
NOINLINE void new_inner(struct Tree *t) { t->inner = 1; KEEP(t); }
NOINLINE void outer(struct Tree *t) { t->outer = 0; inner(t); KEEP(t); }
NOINLINE void new_outer(struct Tree *t) { t->outer = 1; inner(t); KEEP(t); }

// The more functions are between these two, the longer only the first one leads there.
#define TIMES_4(what, name) what(name##0) what(name##1) what(name##2) what(name##3)
#define TIMES_16(what, name) TIMES_4(what, name##0) TIMES_4(what, name##1) TIMES_4(what, name##2) TIMES_4(what, name##3)
#define TIMES_64(what, name) TIMES_16(what, name##0) TIMES_16(what, name##1) TIMES_16(what, name##2) TIMES_16(what, name##3)
#define TIMES_256(what) TIMES_64(what, f0) TIMES_64(what, f1) TIMES_64(what, f2) TIMES_64(what, f3)
#define FILLER(name) NOINLINE void name(void) { __asm__ volatile(""); }
TIMES_256(FILLER)
UNTRACED static void new_filler(void) { __asm__ volatile(""); }
#define FILLER_ROW(name) FUNC(name, new_filler),
PATCH(patch, FUNC(inner, new_inner), TIMES_256(FILLER_ROW) FUNC(outer, new_outer));

static int over, broken;
UNTRACED static void *run(void *unused) {
  while (!__atomic_load_n(&over, __ATOMIC_RELAXED)) {
    struct Tree tree;
    for (int i = 0; i < 4; i++)
      inner(&tree);
    outer(&tree);
    if (tree.outer != tree.inner && !__atomic_fetch_add(&broken, 1, __ATOMIC_RELAXED))
      printf("outer %d, inner %d\n", tree.outer, tree.inner);
  }
  return unused;
}

// [TRANSITIONS]
UNTRACED int main(int count, char **arguments) {
  enum { kThreads = 2 };
  pthread_t threads[kThreads];
  for (int i = 0; i < kThreads; i++)
    pthread_create(&threads[i], NULL, run, NULL);
  for (int i = count > 1 ? atoi(arguments[1]) : 60; i > 0 && !broken && !failures; i--) {
    EXPECT_EQ(klp_enable_patch(&patch), 0);
    wait_for_patch(&patch);
    disable_and_wait(&patch);
  }
  __atomic_store_n(&over, 1, __ATOMIC_RELAXED);
  for (int i = 0; i < kThreads; i++)
    pthread_join(threads[i], NULL);
  EXPECT_EQ(broken, 0);
  return failures;
}
