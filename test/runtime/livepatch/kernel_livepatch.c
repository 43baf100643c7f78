// The kernel's test-livepatch.sh and test-syscall.sh hold: patches one at a time, in layers, one that replaces the
// others, and one of a function that every thread calls all the time.
// RUN: %traced_cc -O1 %s -o %t %linked && %t
#include "klp.h"
#include <pthread.h>
// Functions of two files of /proc in the kernel's test; one is in the first patch, the other in the second.
NOINLINE int cmdline(void) { int n = 1; KEEP(&n); return n; }
NOINLINE int meminfo(void) { int n = 2; KEEP(&n); return n; }
NOINLINE int new_cmdline(void) { int n = 101; KEEP(&n); return n; }
NOINLINE int new_meminfo(void) { int n = 102; KEEP(&n); return n; }
PATCH(patch, FUNC(cmdline, new_cmdline));
PATCH(second, FUNC(meminfo, new_meminfo));
#define EXPECT_RESULTS(one, two) do { EXPECT_EQ(cmdline(), one); EXPECT_EQ(meminfo(), two); } while (0)

UNTRACED static void basic_function_patching(void) {
  enable_and_wait(&patch);
  EXPECT_RESULTS(101, 2);
  disable_and_wait(&patch);
  EXPECT_RESULTS(1, 2);
}
UNTRACED static void multiple_livepatches(void) {
  enable_and_wait(&patch);
  EXPECT_RESULTS(101, 2);
  enable_and_wait(&second);
  EXPECT_RESULTS(101, 102);
  disable_and_wait(&second);
  EXPECT_RESULTS(101, 2);
  disable_and_wait(&patch);
  EXPECT_RESULTS(1, 2);
}
UNTRACED static void atomic_replace_livepatch(void) {
  second.replace = true;
  enable_and_wait(&patch);
  EXPECT_RESULTS(101, 2);
  enable_and_wait(&second);
  EXPECT_RESULTS(1, 102);
  EXPECT_EQ(klp_patch_status(&patch), 0);
  EXPECT_EQ(klp_disable_patch(&patch), -EINVAL); // it is gone
  EXPECT_RESULTS(1, 102);
  disable_and_wait(&second);
  EXPECT_RESULTS(1, 2);
  second.replace = false;
}

// A thread says once that it has had a new version; it has no old one behind that.
enum { kThreads = 4 };
static int over, has_new[kThreads];
UNTRACED static void *hammer(void *raw) {
  int *is_new = (int *)raw;
  while (!__atomic_load_n(&over, __ATOMIC_RELAXED)) {
    int result = cmdline();
    EXPECT(result == 101 || (result == 1 && !*is_new));
    if (result == 101)
      set(is_new, 1);
  }
  return NULL;
}
UNTRACED static void patch_getpid_syscall_while_being_heavily_hammered(void) {
  pthread_t threads[kThreads];
  for (int i = 0; i < kThreads; i++)
    pthread_create(&threads[i], NULL, hammer, &has_new[i]);
  enable_and_wait(&patch);
  for (int i = 0; i < kThreads; i++)
    wait_until(&has_new[i], 1);
  set(&over, 1);
  for (int i = 0; i < kThreads; i++)
    pthread_join(threads[i], NULL);
  disable_and_wait(&patch);
  EXPECT_RESULTS(1, 2);
}

UNTRACED int main(void) {
  basic_function_patching();
  multiple_livepatches();
  atomic_replace_livepatch();
  patch_getpid_syscall_while_being_heavily_hammered();
  EXPECT_EQ(text_differing(), 0);
  return failures;
}
