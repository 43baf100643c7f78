// A redirection sends calls of the old function to the new one, where callbacks that chose either
// name see them. The old record is retired and says where. A function that may not be shared is
// refused. A redirection can be undone, and a thread inside the old body finishes there.
// RUN: %traced_cc -O1 %s -o %t %linked && %trace_linked -p '' -- %t
#include "ops.h"
#include <pthread.h>
#define ADDRESS(f) ((unsigned long)(f))

NOINLINE int old_one(int n) { KEEP(&n); return n + 1; }
NOINLINE int new_one(int n) { KEEP(&n); return n + 100; }
NOINLINE int third(int n) { KEEP(&n); return n + 3; }
UNTRACED static int plain(int n) { KEEP(&n); return n + 1000; }
static int inside, leave;
void returns(void);
__asm__("returns: ret\n");
NOINLINE int old_body(int n) {
  __atomic_store_n(&inside, 1, __ATOMIC_RELEASE);
  while (!__atomic_load_n(&leave, __ATOMIC_ACQUIRE))
    sched_yield();
  return n + 5;
}
UNTRACED static void *run(void *unused) {
  EXPECT_EQ(old_body(1), 6);
  return unused;
}
UNTRACED static void check_who_may_share(void) {
  static struct Counted changes = COUNTED(FTRACE_OPS_FL_IPMODIFY);
  EXPECT_EQ(register_ftrace_redirect(ADDRESS(old_one), ADDRESS(third)), -EBUSY);
  EXPECT_EQ(register_ftrace_redirect(ADDRESS(new_one), ADDRESS(third)), -EBUSY);
  EXPECT_EQ(register_ftrace_redirect(ADDRESS(third), ADDRESS(old_one)), -EINVAL);
  EXPECT_EQ(register_ftrace_redirect(ADDRESS(third), ADDRESS(third)), -EINVAL);
  EXPECT_EQ(register_ftrace_redirect(ADDRESS(plain), ADDRESS(third)), -EINVAL);
  EXPECT_EQ(unregister_ftrace_redirect(ADDRESS(third)), -ENOENT);
  EXPECT_EQ(set_filter(&changes.ops, "third", 1), 0);
  EXPECT_EQ(register_ftrace_function(&changes.ops), 0);
  EXPECT_EQ(register_ftrace_redirect(ADDRESS(third), ADDRESS(plain)), -EBUSY);
  EXPECT_EQ(unregister_ftrace_function(&changes.ops), 0);
  static struct ftrace_ops direct;
  EXPECT_EQ(set_filter(&direct, "third", 1), 0);
  EXPECT_EQ(register_ftrace_direct(&direct, ADDRESS(returns)), 0);
  EXPECT_EQ(register_ftrace_redirect(ADDRESS(third), ADDRESS(plain)), -EBUSY);
  EXPECT_EQ(unregister_ftrace_direct(&direct, ADDRESS(returns), 1), 0);
  EXPECT_EQ(register_ftrace_redirect(ADDRESS(third), ADDRESS(plain)), 0);
  EXPECT_EQ(third(1), 1001); // a function without a site is reached as well
  EXPECT_EQ(unregister_ftrace_redirect(ADDRESS(third)), 0);
  EXPECT_EQ(third(1), 4);
}

UNTRACED int main(void) {
  static struct Counted by_old = COUNTED(0), by_new = COUNTED(FTRACE_OPS_FL_SAVE_REGS), not_old = COUNTED(0);
  EXPECT_EQ(set_filter(&by_old.ops, "old_one", 1), 0);
  EXPECT_EQ(set_filter(&by_new.ops, "new_one", 1), 0);
  EXPECT_EQ(set_notrace(&not_old.ops, "old_one", 1), 0);
  EXPECT_EQ(register_ftrace_function(&by_old.ops), 0);
  EXPECT_EQ(register_ftrace_function(&by_new.ops), 0);
  EXPECT_EQ(register_ftrace_function(&not_old.ops), 0);
  EXPECT_EQ(register_ftrace_redirect(ADDRESS(old_one), ADDRESS(new_one)), 0);
  unsigned char *site = (unsigned char *)ftrace_location(ADDRESS(old_one));
  int distance;
  memcpy(&distance, site + 1, sizeof distance);
  EXPECT_EQ(*site, 0xe9); // straight there
  EXPECT_EQ((unsigned long)site + 5 + (unsigned long)distance, ADDRESS(new_one));
  EXPECT_EQ(old_one(1), 101);
  EXPECT_EQ(calls_of(&by_old), 1);
  EXPECT_EQ(calls_of(&by_new), 1);
  EXPECT_EQ(calls_of(&not_old), 0); // notrace of either name
  EXPECT_EQ(new_one(2), 102);
  EXPECT_EQ(calls_of(&by_old), 1);
  EXPECT_EQ(calls_of(&by_new), 1);
  EXPECT_EQ(RECORD(old_one).redirect, ADDRESS(new_one));
  EXPECT_EQ(RECORD(old_one).flags & 0x1fffffff, 0); // retired: nobody counts
  EXPECT_EQ(RECORD(new_one).redirect, 0);
  EXPECT_EQ(RECORD(new_one).flags, 0xe0000002);
  check_who_may_share();
  EXPECT_EQ(unregister_ftrace_redirect(ADDRESS(old_one)), 0);
  calls_of(&by_old), calls_of(&by_new), calls_of(&not_old);
  EXPECT_EQ(old_one(1), 2);
  EXPECT_EQ(calls_of(&by_old), 1);
  EXPECT_EQ(calls_of(&by_new), 0);
  EXPECT_EQ(RECORD(old_one).redirect, 0);
  EXPECT_EQ(unregister_ftrace_function(&by_old.ops), 0);
  EXPECT_EQ(unregister_ftrace_function(&by_new.ops), 0);
  EXPECT_EQ(unregister_ftrace_function(&not_old.ops), 0);
  pthread_t thread;
  pthread_create(&thread, NULL, run, NULL);
  while (!__atomic_load_n(&inside, __ATOMIC_ACQUIRE))
    sched_yield();
  EXPECT_EQ(register_ftrace_redirect(ADDRESS(old_body), ADDRESS(plain)), 0);
  EXPECT_EQ(old_body(1), 1001);
  __atomic_store_n(&leave, 1, __ATOMIC_RELEASE);
  pthread_join(thread, NULL);
  EXPECT_EQ(unregister_ftrace_redirect(ADDRESS(old_body)), 0);
  EXPECT_EQ(text_differing(), 0);
  return failures;
}
