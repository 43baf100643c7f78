// A program ends while a transition is under way. The end of its last thread ends it when the program's own functions
// have been given back already, and nothing breaks.
// RUN: %traced_cc -O1 %s -o %t %linked && %t
#include "klp.h"
#include <pthread.h>

static int inside, leave;
NOINLINE int stays(void) { int n = 1; set(&inside, 1); while (!__atomic_load_n(&leave, __ATOMIC_ACQUIRE)) pause_briefly(); KEEP(&n); return n; }
NOINLINE int new_stays(void) { int n = 2; KEEP(&n); return n; }
PATCH(patch, FUNC(stays, new_stays));
UNTRACED static void *run(void *unused) { EXPECT_EQ(stays(), 1); return unused; }

// Behind the destructor of the program's sites, since that has no number.
UNTRACED __attribute__((destructor(101))) static void end_transition(void) {
  EXPECT_EQ(klp_patch_status(&patch), KLP_ENABLED | KLP_TRANSITION);
  set(&leave, 1);
  wait_for_patch(&patch);
  if (failures)
    _exit(1);
}
UNTRACED int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, run, NULL);
  wait_until(&inside, 1);
  EXPECT_EQ(klp_enable_patch(&patch), 0);
  return failures;
}
