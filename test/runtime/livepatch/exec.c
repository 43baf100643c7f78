// exec in the middle of a transition leaves nothing: the thread that calls it may be in an old version, and another
// one, too; the same program begins with the original versions, and patches again.
// RUN: %traced_cc -O1 %s -o %t %linked && %t | FileCheck %s
// CHECK: patched: 2
// CHECK-NEXT: again: 1, 2, 1
#include "klp.h"
#include <pthread.h>
NOINLINE int version(void) { int n = 1; KEEP(&n); return n; }
NOINLINE int new_version(void) { int n = 2; KEEP(&n); return n; }
static int inside;
NOINLINE int stays(void) { int n = 1; set(&inside, 1); for (;;) pause_briefly(); KEEP(&n); return n; }
NOINLINE int new_stays(void) { int n = 2; KEEP(&n); return n; }
NOINLINE int replaces(char **arguments) {
  char *again[] = {arguments[0], "again", NULL};
  extern struct klp_patch *const to_enable;
  EXPECT_EQ(klp_enable_patch(to_enable), 0);
  EXPECT_EQ(version(), 1); // this thread is in an old one
  for (int i = 0; i < 20; i++)
    pause_briefly();
  EXPECT_EQ(klp_patch_status(to_enable), KLP_ENABLED | KLP_TRANSITION);
  fflush(stdout);
  execv("/proc/self/exe", again);
  EXPECT_EQ(errno, 0);
  return 1;
}
NOINLINE int new_replaces(char **arguments) { KEEP(arguments); return 0; }
PATCH(patch, FUNC(version, new_version), FUNC(stays, new_stays), FUNC(replaces, new_replaces));
PATCH(small, FUNC(version, new_version));
struct klp_patch *const to_enable = &patch;
UNTRACED static void *run(void *unused) { stays(); return unused; }

UNTRACED int main(int count, char **arguments) {
  if (count > 1) {
    EXPECT_EQ(klp_patch_status(&patch), 0);
    EXPECT_EQ(text_differing(), 0);
    printf("again: %d, ", version());
    enable_and_wait(&patch);
    printf("%d, ", version());
    disable_and_wait(&patch);
    printf("%d\n", version());
    EXPECT_EQ(text_differing(), 0);
    return failures;
  }
  enable_and_wait(&small);
  printf("patched: %d\n", version());
  disable_and_wait(&small);
  pthread_t thread;
  pthread_create(&thread, NULL, run, NULL);
  wait_until(&inside, 1);
  return replaces(arguments);
}
