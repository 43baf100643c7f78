// A handler that interrupts a callback leaves for a fiber below it, behind an unusable page, where
// the function is called again: nothing is read behind the fiber's own stack.
// RUN: %traced_cc -O1 %s -o %t %linked && %trace_linked -p '' -- %t
#include "ops.h"
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>

enum { kStack = 65536 };
NOINLINE static void called(void) { KEEP(0); }
static ucontext_t outside, upper, lower;
static int raises;
static struct Counted counted = COUNTED(0);
UNTRACED static void interrupted(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops, struct ftrace_regs *regs) {
  (void)ip, (void)parent_ip, (void)ops, (void)regs;
  if (raises-- > 0)
    raise(SIGUSR1);
}
UNTRACED static void on_signal(int number) {
  (void)number;
  swapcontext(&upper, &lower); // as a scheduler does
}
UNTRACED static void in_upper(void) {
  called();
  setcontext(&outside);
}
UNTRACED static void in_lower(void) {
  for (int i = 0; i < 10; i++)
    called();
  setcontext(&upper);
}

UNTRACED int main(void) {
  struct ftrace_ops ops = {.func = interrupted};
  char *memory = (char *)mmap(NULL, 2 * kStack, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  EXPECT_EQ(mprotect(memory + kStack, 4096, PROT_NONE), 0);
  signal(SIGUSR1, on_signal);
  EXPECT_EQ(register_ftrace_function(&ops), 0);
  EXPECT_EQ(register_ftrace_function(&counted.ops), 0);
  for (int i = 0; i < 100; i++) {
    volatile int is_back = 0;
    getcontext(&lower), getcontext(&upper);
    lower.uc_stack.ss_sp = memory, lower.uc_stack.ss_size = kStack;
    upper.uc_stack.ss_sp = memory + kStack + 4096, upper.uc_stack.ss_size = kStack - 4096;
    makecontext(&lower, in_lower, 0), makecontext(&upper, in_upper, 0);
    raises = 1;
    getcontext(&outside);
    if (!is_back) {
      is_back = 1;
      setcontext(&upper);
    }
    EXPECT_EQ(calls_of(&counted), 11);
  }
  EXPECT_EQ(unregister_ftrace_function(&counted.ops), 0);
  EXPECT_EQ(unregister_ftrace_function(&ops), 0);
  return failures;
}
