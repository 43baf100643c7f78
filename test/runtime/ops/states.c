// The flags of the runtime's are set while they are true: ENABLED, INITIALIZED, DELETED, ALLOC_TRAMP,
// and, for another thread to see, ADDING, MODIFYING and REMOVING.
// RUN: %traced_cc -O1 %s -o %t %linked && %trace_linked -p '' -- %t
#include "ops.h"
#include <pthread.h>

NOINLINE void alpha(void) { KEEP(0); }
NOINLINE void beta(void) { KEEP(0); }
UNTRACED static void nothing(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops, struct ftrace_regs *regs) { (void)ip, (void)parent_ip, (void)ops, (void)regs; }
static struct ftrace_ops ops = {.func = nothing};
static unsigned long seen;
static int over;
enum { kBusy = FTRACE_OPS_FL_ADDING | FTRACE_OPS_FL_MODIFYING | FTRACE_OPS_FL_REMOVING };
UNTRACED static void *watch(void *unused) {
  while (!__atomic_load_n(&over, __ATOMIC_RELAXED))
    __atomic_fetch_or(&seen, *(volatile unsigned long *)&ops.flags & kBusy, __ATOMIC_RELAXED);
  return unused;
}
#define FLAGS(wanted) EXPECT_EQ(ops.flags & ~(unsigned long)FTRACE_OPS_FL_DYNAMIC, wanted)

UNTRACED int main(void) {
  enum { kUsed = FTRACE_OPS_FL_INITIALIZED, kOn = FTRACE_OPS_FL_ENABLED | FTRACE_OPS_FL_ALLOC_TRAMP | kUsed };
  pthread_t thread;
  FLAGS(0);
  ftrace_free_filter(&ops);
  FLAGS(0);
  EXPECT_EQ(set_filter(&ops, "alpha", 1), 0);
  FLAGS(kUsed);
  EXPECT(ops.filter_hash && !ops.notrace_hash);
  EXPECT_EQ(register_ftrace_function(&ops), 0);
  FLAGS(kOn);
  ftrace_free_filter(&ops); // not while it is registered
  FLAGS(kOn);
  EXPECT(ops.filter_hash);
  EXPECT_EQ(unregister_ftrace_function(&ops), 0);
  FLAGS(kUsed);
  ftrace_free_filter(&ops);
  FLAGS(FTRACE_OPS_FL_DELETED);
  EXPECT(!ops.filter_hash && !ops.notrace_hash && !ops.state);
  EXPECT_EQ(register_ftrace_function(&ops), 0);
  FLAGS(kOn);
  EXPECT_EQ(unregister_ftrace_function(&ops), 0);

  EXPECT_EQ(set_filter(&ops, "alpha", 1), 0);
  pthread_create(&thread, NULL, watch, NULL);
  for (int i = 0; i < 1000000 && __atomic_load_n(&seen, __ATOMIC_RELAXED) != kBusy; i++) {
    EXPECT_EQ(register_ftrace_function(&ops), 0);
    EXPECT_EQ(set_filter(&ops, i % 2 ? "alpha" : "beta", 1), 0);
    EXPECT_EQ(unregister_ftrace_function(&ops), 0);
  }
  __atomic_store_n(&over, 1, __ATOMIC_RELAXED);
  pthread_join(thread, NULL);
  EXPECT_EQ(seen, kBusy);
  FLAGS(kUsed);
  return failures;
}
