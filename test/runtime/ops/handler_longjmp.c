// 10,000 times a handler interrupts a callback and leaves by siglongjmp: the next call on that
// stack and all after it are seen, and another thread's unregister does not hang.
// RUN: %traced_cc -O1 %s -o %t %linked && %trace_linked -p '' -- %t
#include "ops.h"
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <unistd.h>

static sigjmp_buf back;
static int jumps, jumped;
static struct Counted counted = COUNTED(0), others = COUNTED(FTRACE_OPS_FL_RECURSION_SAFE);
NOINLINE static void called(void) { KEEP(0); }
UNTRACED static void on_signal(int number) { siglongjmp(back, number); }
UNTRACED static void jump(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops, struct ftrace_regs *regs) {
  (void)ip, (void)parent_ip, (void)ops, (void)regs;
  if (jumps)
    raise(SIGUSR1);
}
UNTRACED NOINLINE static void deep(int depth) {
  char room[200];
  KEEP(room);
  if (depth > 0)
    deep(depth - 1);
  else
    called();
  KEEP(room);
}
static struct ftrace_ops jumper = {.func = jump};
UNTRACED static void *unregister(void *unused) {
  EXPECT_EQ(unregister_ftrace_function(&jumper), 0);
  EXPECT_EQ(unregister_ftrace_function(&counted.ops), 0);
  EXPECT_EQ(unregister_ftrace_function(&others.ops), 0);
  return unused;
}

UNTRACED int main(void) {
  pthread_t thread;
  signal(SIGUSR1, on_signal);
  EXPECT_EQ(register_ftrace_function(&jumper), 0); // older ones are called later
  EXPECT_EQ(register_ftrace_function(&counted.ops), 0);
  EXPECT_EQ(register_ftrace_function(&others.ops), 0);
  for (int i = 0; i < 10000; i++) {
    if (sigsetjmp(back, 1) == 0) {
      jumps = 1;
      deep(i % 7);
    } else {
      jumped++;
    }
    jumps = 0;
    for (int depth = 0; depth < 12; depth++)
      deep(depth);
    EXPECT_EQ(calls_of(&others), 13);
    EXPECT_EQ(calls_of(&counted), 13);
    if (failures > 10)
      return failures;
  }
  EXPECT_EQ(jumped, 10000);
  EXPECT_EQ(jumper.missed + counted.ops.missed, 0);
  alarm(300);
  pthread_create(&thread, NULL, unregister, NULL);
  pthread_join(thread, NULL);
  return failures;
}
