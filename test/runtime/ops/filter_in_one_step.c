// A filter that is replaced again and again is never empty in between: functions that no version
// has are not seen by any thread, and one that all have is seen at each call.
// RUN: %traced_cc -O1 %s -o %t %linked && %trace_linked -p '' -- %t
#include "ops.h"
#include <pthread.h>

NOINLINE static void unwanted(void) { KEEP(0); }
NOINLINE static void wanted(void) { KEEP(0); }
NOINLINE static void sometimes(void) { KEEP(0); }
static int over;
static long rounds, seen;
static unsigned long wrong_ip, wanted_ip;
UNTRACED static void look(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops, struct ftrace_regs *regs) {
  (void)parent_ip, (void)ops, (void)regs;
  if (ip == wrong_ip)
    __atomic_fetch_add(&failures, 1, __ATOMIC_RELAXED);
  seen += ip == wanted_ip;
}
UNTRACED static void *run(void *unused) {
  for (; !__atomic_load_n(&over, __ATOMIC_RELAXED); __atomic_fetch_add(&rounds, 1, __ATOMIC_RELAXED))
    unwanted(), wanted(), sometimes();
  return unused;
}

UNTRACED int main(void) {
  struct ftrace_ops ops = {.func = look};
  pthread_t thread;
  wrong_ip = ftrace_location((unsigned long)unwanted), wanted_ip = ftrace_location((unsigned long)wanted);
  EXPECT_EQ(set_filter(&ops, "wanted", 1), 0);
  EXPECT_EQ(register_ftrace_function(&ops), 0);
  unwanted(), wanted(), sometimes(), seen = 0;
  pthread_create(&thread, NULL, run, NULL);
  for (int i = 0; i < 3000 || __atomic_load_n(&rounds, __ATOMIC_RELAXED) <= 1000; i++) {
    EXPECT_EQ(set_filter(&ops, "sometimes wanted", 1), 0);
    EXPECT_EQ(set_filter(&ops, "wanted", 1), 0);
    EXPECT_EQ(ftrace_set_filter_ip(&ops, wanted_ip, 0, 1), 0);
    EXPECT_EQ(set_notrace(&ops, "unwanted", 1), 0);
    EXPECT_EQ(set_filter(&ops, "*", 0), 0);
    EXPECT_EQ(set_filter(&ops, "wanted", 1), 0);
    EXPECT_EQ(ftrace_set_notrace(&ops, NULL, 0, 1), 0);
  }
  __atomic_store_n(&over, 1, __ATOMIC_RELAXED);
  pthread_join(thread, NULL);
  EXPECT_EQ(seen, rounds);
  EXPECT_EQ(ops.missed, 0);
  EXPECT_EQ(unregister_ftrace_function(&ops), 0);
  return failures;
}
