// FTRACE_OPS_FL_OWN_STACK: a callback that takes 16 KiB runs on a fiber of 4 KiB and on a signal stack of the least size, entry and exit; signals come afterwards; a callback that it leads to is called, itself it is not.
// RUN: %traced_cc -O1 %s -o %t %linked && %trace_linked -p '' -- %t
#include "ops.h"
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

NOINLINE static void inner(int n) { KEEP(n); }
NOINLINE static void called(void) { KEEP(0); }
static long handled, handled_inside, entries, leavings;
UNTRACED static void on_signal(int number) { (void)number, handled++; }
// Writes to all of 16 KiB, and is interrupted while it does.
UNTRACED static void take_much(void) {
  volatile char much[16 << 10];
  long before = handled;
  for (size_t i = 0; i < sizeof much; i += 512)
    much[i] = 1;
  raise(SIGUSR2);
  inner(much[0]); // another ops' function, and this one's
  handled_inside += handled - before;
}
UNTRACED static void large(unsigned long ip, unsigned long parent, struct ftrace_ops *ops, struct ftrace_regs *regs) {
  (void)parent, (void)regs;
  EXPECT(ftrace_location(ip) == ip);
  count_call(ip, parent, ops, regs);
  take_much();
}
UNTRACED static int enters(struct fprobe *probe, unsigned long ip, unsigned long back, struct ftrace_regs *regs, void *data) {
  (void)probe, (void)ip, (void)back, (void)regs, (void)data;
  take_much();
  return entries++, 0;
}
UNTRACED static void leaves(struct fprobe *probe, unsigned long ip, unsigned long back, struct ftrace_regs *regs, void *data) {
  (void)enters(probe, ip, back, regs, data);
  entries--, leavings++;
}
static struct Counted user = {.ops = {.func = large, .flags = FTRACE_OPS_FL_OWN_STACK}}, other = COUNTED(0);
static struct fprobe probe = {.ops = {.flags = FTRACE_OPS_FL_OWN_STACK}, .entry_handler = enters, .exit_handler = leaves};

UNTRACED static void expect(void) {
  EXPECT_EQ(calls_of(&user), 2 + 4); // twice on called; inside of the probe's four handlers, on inner
  EXPECT_EQ(calls_of(&other), 6 + 4); // on inner: inside of all of these and the four
  EXPECT(entries == 2 && leavings == 2);
  EXPECT_EQ(handled, 6); // one for each of the six that came from the program
  EXPECT_EQ(handled_inside, 0);
  handled = entries = leavings = 0;
}
UNTRACED static void call(void) { called(), called(); }
UNTRACED static void in_handler(int number) { (void)number, call(); }
static ucontext_t outside, inside;
UNTRACED static void in_fiber(void) { call(), swapcontext(&inside, &outside); }
UNTRACED static void *in_thread(void *unused) { return call(), unused; }
UNTRACED static char *new_stack(size_t bytes) {
  size_t room = (bytes + 4095) & ~4095ul;
  char *memory = (char *)mmap(NULL, room + 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  mprotect(memory, 4096, PROT_NONE);
  return memory + 4096 + room - bytes;
}

UNTRACED static void use_signal_stack(size_t bytes) {
  stack_t stack = {.ss_sp = new_stack(bytes), .ss_size = bytes};
  EXPECT_EQ(sigaltstack(&stack, NULL), 0);
}

UNTRACED int main(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = on_signal, action.sa_flags = SA_ONSTACK; // the kernel's frame alone is 3 KiB
  use_signal_stack(1 << 16);
  sigaction(SIGUSR2, &action, NULL);
  EXPECT(set_filter(&user.ops, "called inner", 1) == 0 && set_filter(&other.ops, "inner", 1) == 0);
  EXPECT(register_ftrace_function(&user.ops) == 0 && register_ftrace_function(&other.ops) == 0 && register_fprobe(&probe, "called", NULL) == 0);
  call();
  expect();
  getcontext(&inside);
  inside.uc_stack.ss_sp = new_stack(4096), inside.uc_stack.ss_size = 4096;
  makecontext(&inside, in_fiber, 0);
  swapcontext(&outside, &inside);
  expect();
  use_signal_stack((size_t)sysconf(_SC_MINSIGSTKSZ) + 1024); // the kernel's frame, which may fill the first part, and what a call takes
  action.sa_handler = in_handler;
  sigaddset(&action.sa_mask, SIGUSR2);
  sigaction(SIGUSR1, &action, NULL);
  raise(SIGUSR1);
  EXPECT_EQ(handled, 1); // one of the six that came while it was blocked
  handled = 6;
  expect();
  for (int i = 0; i < 100; i++) { // dead threads' stacks are used again
    pthread_t thread;
    pthread_create(&thread, NULL, in_thread, NULL);
    pthread_join(thread, NULL);
    expect();
  }
  EXPECT(unregister_ftrace_function(&user.ops) == 0 && unregister_ftrace_function(&other.ops) == 0 && unregister_fprobe(&probe) == 0);
  return failures;
}
