// A child of fork in the middle of a transition keeps its thread's side, and ends the transition by itself;
// the parent's goes on. A vfork child decides for the thread whose memory it has. exec starts over.
// RUN: %traced_cc -O1 %s -o %t %linked && %t
#include "klp.h"
#include <pthread.h>
#include <sys/wait.h>
NOINLINE int version(void) { int n = 1; KEEP(&n); return n; }
NOINLINE int new_version(void) { int n = 2; KEEP(&n); return n; }
static int inside, leave;
NOINLINE int stays(void) { int n = 1; set(&inside, 1); wait_until(&leave, 1); KEEP(&n); return n * version(); }
NOINLINE int new_stays(void) { int n = 20; KEEP(&n); return n; }
// Forks inside an old version: the child's thread has it on its stack.
NOINLINE int forks(pid_t *child) { int n = version(); *child = fork(); KEEP(&n); return n * 10 + version(); }
NOINLINE int new_forks(pid_t *child) { KEEP(child); return 0; }
PATCH(patch, FUNC(version, new_version), FUNC(stays, new_stays), FUNC(forks, new_forks));
UNTRACED static void *run(void *unused) { EXPECT_EQ(stays(), 1); EXPECT_EQ(version(), 2); return unused; }
UNTRACED static int status_of(pid_t child) {
  int status = -1;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  return status;
}
UNTRACED static void end_in_child(void) {
  wait_for_patch(&patch);
  EXPECT_EQ(klp_patch_status(&patch), KLP_ENABLED);
  EXPECT_EQ(version(), 2);
  disable_and_wait(&patch);
  EXPECT_EQ(version(), 1);
  EXPECT_EQ(text_differing(), 0);
  _exit(failures);
}

UNTRACED int main(void) {
  pid_t child = 0;
  EXPECT_EQ(forks(&child), 11);
  if (!child)
    _exit(failures);
  EXPECT_EQ(status_of(child), 0);
  pthread_t thread;
  pthread_create(&thread, NULL, run, NULL);
  wait_until(&inside, 1);
  EXPECT_EQ(klp_enable_patch(&patch), 0);
  EXPECT_EQ(version(), 2);
  for (int i = 0; i < 20; i++) {
    child = fork();
    if (!child) // the thread in stays() is not here
      end_in_child();
    EXPECT_EQ(status_of(child), 0);
    child = vfork();
    if (!child)
      _exit(version() != 2);
    EXPECT_EQ(status_of(child), 0);
  }
  EXPECT_EQ(klp_patch_status(&patch), KLP_ENABLED | KLP_TRANSITION);
  set(&leave, 1);
  pthread_join(thread, NULL);
  wait_for_patch(&patch);
  disable_and_wait(&patch);
  EXPECT_EQ(text_differing(), 0);
  return failures;
}
