// A handler on an alternate stack that is disarmed while it is used, above the ordinary one, calls
// the function whose callback it has interrupted: that callback's vector registers are kept.
// RUN: %traced_cc -O1 %s -o %t %linked && %trace_linked -p '' -- %t
#include "ops.h"
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#ifndef SS_AUTODISARM
#define SS_AUTODISARM (1U << 31)
#endif

enum { kStack = 65536 };
static char *memory; // a thread's stack, then the alternate one
static struct Counted counted = COUNTED(0);
NOINLINE static double called(double value) { KEEP(&value); return value + 1; }
static int raises;
UNTRACED static void interrupted(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops, struct ftrace_regs *regs) {
  (void)ip, (void)parent_ip, (void)ops, (void)regs;
  if (raises-- > 0)
    raise(SIGUSR1);
  __asm__ volatile("pcmpeqb %%xmm0, %%xmm0" ::: "xmm0");
}
UNTRACED static void on_signal(int number) {
  for (int i = 0; i < 3; i++)
    EXPECT(called(number) == number + 1);
}
UNTRACED static void *run(void *unused) {
  stack_t stack = {.ss_sp = memory + kStack, .ss_size = kStack, .ss_flags = (int)SS_AUTODISARM};
  EXPECT_EQ(sigaltstack(&stack, NULL), 0);
  for (int i = 0; i < 100; i++) {
    raises = 1;
    EXPECT(called(i * 0.5) == i * 0.5 + 1);
    EXPECT_EQ(calls_of(&counted), 4);
  }
  return unused;
}

UNTRACED int main(void) {
  struct ftrace_ops ops = {.func = interrupted};
  struct sigaction action;
  pthread_t thread;
  pthread_attr_t attributes;
  memory = (char *)mmap(NULL, 2 * kStack, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  memset(&action, 0, sizeof action);
  action.sa_handler = on_signal, action.sa_flags = SA_ONSTACK | SA_NODEFER;
  sigaction(SIGUSR1, &action, NULL);
  EXPECT_EQ(register_ftrace_function(&counted.ops), 0);
  EXPECT_EQ(register_ftrace_function(&ops), 0);
  pthread_attr_init(&attributes);
  pthread_attr_setstack(&attributes, memory, kStack);
  EXPECT_EQ(pthread_create(&thread, &attributes, run, NULL), 0);
  pthread_join(thread, NULL);
  EXPECT_EQ(unregister_ftrace_function(&ops), 0);
  EXPECT_EQ(unregister_ftrace_function(&counted.ops), 0);
  return failures;
}
