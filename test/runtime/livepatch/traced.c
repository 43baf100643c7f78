// A patched function is traced by its old name and by its new one, by callbacks and by the tracers, before
// and after it is patched, and no call of its new version is missed; redirection and patches exclude each
// other.
// RUN: %traced_cc -O1 %s -o %t %linked && %t
// RUN: env NOPHOOK_POKE=skip %t
// RUN: %trace_linked -p function_graph -- %t --graph && %show %t.buf | FileCheck %s
// CHECK: 2 events, 0 holes, 1 returned
#include "klp.h"
#include "ops.h"
#include <pthread.h>
NOINLINE int version(void) { int n = 1; KEEP(&n); return n; }
NOINLINE int new_version(void) { int n = 2; KEEP(&n); return n; }
NOINLINE int third(void) { int n = 3; KEEP(&n); return n; }
PATCH(patch, FUNC(version, new_version));

UNTRACED static void check(struct Counted *by_old, struct Counted *by_new, int result, int old_calls, int new_calls) {
  calls_of(by_old), calls_of(by_new);
  for (int i = 0; i < 10; i++)
    EXPECT_EQ(version(), result);
  EXPECT_EQ(calls_of(by_old), old_calls);
  EXPECT_EQ(calls_of(by_new), new_calls);
}
// In a thread: a pointer to the new version on this one's stack would keep it from leaving that.
UNTRACED static void *compare(void *unused) {
  EXPECT_EQ(RECORD(version).redirect, (unsigned long)new_version);
  return unused;
}
UNTRACED static void check_record(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, compare, NULL);
  pthread_join(thread, NULL);
}
UNTRACED int main(int count, char **arguments) {
  (void)arguments;
  static struct Counted by_old = COUNTED(0), by_new = COUNTED(FTRACE_OPS_FL_SAVE_REGS);
  if (count > 1) {
    enable_and_wait(&patch);
    EXPECT_EQ(version(), 2);
    return failures;
  }
  EXPECT_EQ(set_filter(&by_old.ops, "version", 1), 0);
  EXPECT_EQ(set_filter(&by_new.ops, "new_version", 1), 0);
  EXPECT_EQ(register_ftrace_function(&by_old.ops), 0);
  EXPECT_EQ(register_ftrace_function(&by_new.ops), 0);
  check(&by_old, &by_new, 1, 10, 0);
  enable_and_wait(&patch);
  check(&by_old, &by_new, 2, 10, 10);
  check_record();
  EXPECT_EQ(unregister_ftrace_function(&by_old.ops), 0);
  check(&by_old, &by_new, 2, 0, 10);
  EXPECT_EQ(register_ftrace_function(&by_old.ops), 0);
  check(&by_old, &by_new, 2, 10, 10);
  EXPECT_EQ(register_ftrace_redirect((unsigned long)version, (unsigned long)third), -EBUSY);
  EXPECT_EQ(unregister_ftrace_redirect((unsigned long)version), -ENOENT);
  disable_and_wait(&patch);
  check(&by_old, &by_new, 1, 10, 0);
  EXPECT_EQ(register_ftrace_redirect((unsigned long)version, (unsigned long)third), 0);
  EXPECT_EQ(klp_enable_patch(&patch), -EBUSY);
  EXPECT_EQ(unregister_ftrace_redirect((unsigned long)version), 0);
  EXPECT_EQ(unregister_ftrace_function(&by_old.ops), 0);
  EXPECT_EQ(unregister_ftrace_function(&by_new.ops), 0);
  EXPECT_EQ(text_differing(), 0);
  return failures;
}
