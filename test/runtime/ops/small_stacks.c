// Callbacks run where there is little stack: in a 16 KiB thread, on a 4 KiB fiber and, when they
// use general registers only, in a handler on an alternate stack of the least size. So do tracers.
// RUN: %traced_cc -O1 %s -o %t %linked && %trace_linked -p '' -- %t callbacks
// RUN: %trace_linked -p function -- %t > %t.out && %show --expect %t.out %t.buf
// RUN: %trace_linked -p function_graph -- %t > %t.out && %show --expect %t.out %t.buf
#include "ops.h"
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

enum { kCalls = 1000 };
NOINLINE static void called(void) { KEEP(0); }
static struct Counted full = COUNTED(0), lean = COUNTED(FTRACE_OPS_FL_GENERAL_REGS), bare = COUNTED(FTRACE_OPS_FL_GENERAL_REGS | FTRACE_OPS_FL_RECURSION_SAFE), saves = COUNTED(FTRACE_OPS_FL_SAVE_REGS);
static struct Counted *const kAll[] = {&full, &lean, &bare, &saves};
static int has_callbacks;
static ucontext_t outside, inside;
UNTRACED static void call(void) {
  for (int i = 0; i < kCalls; i++)
    called();
}
UNTRACED static void *in_thread(void *unused) {
  call();
  return unused;
}
UNTRACED static void in_fiber(void) {
  call();
  swapcontext(&inside, &outside);
}
UNTRACED static void in_handler(int number) { (void)number, call(); }
// A stack with an unusable page below.
UNTRACED static char *new_stack(size_t bytes) {
  size_t room = (bytes + 4095) & ~4095ul;
  char *memory = (char *)mmap(NULL, room + 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  mprotect(memory, 4096, PROT_NONE);
  mprotect(memory + 4096 + room, 4096, PROT_NONE);
  return memory + 4096 + room - bytes;
}
UNTRACED static void expect(long calls) {
  for (int i = 0; i < 4; i++)
    EXPECT_EQ(calls_of(kAll[i]), has_callbacks ? calls : 0);
}

UNTRACED int main(int count, char **arguments) {
  (void)arguments;
  has_callbacks = count > 1;
  pthread_t thread;
  pthread_attr_t attributes;
  for (int i = 0; i < 4 && has_callbacks; i++)
    EXPECT_EQ(register_ftrace_function(&kAll[i]->ops), 0);
  pthread_attr_init(&attributes);
  EXPECT_EQ(pthread_attr_setstacksize(&attributes, 16384), 0);
  EXPECT_EQ(pthread_create(&thread, &attributes, in_thread, NULL), 0);
  pthread_join(thread, NULL);
  expect(kCalls);

  getcontext(&inside);
  inside.uc_stack.ss_sp = new_stack(4096), inside.uc_stack.ss_size = 4096;
  makecontext(&inside, in_fiber, 0);
  swapcontext(&outside, &inside);
  expect(kCalls);

  size_t least = (size_t)sysconf(_SC_MINSIGSTKSZ) + 1024; // the kernel's frame, which may fill the first part, and what a call takes
  stack_t stack = {.ss_sp = new_stack(least), .ss_size = least};
  EXPECT_EQ(sigaltstack(&stack, NULL), 0);
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = in_handler, action.sa_flags = SA_ONSTACK;
  sigaction(SIGUSR1, &action, NULL);
  raise(SIGUSR1);
  expect(kCalls);
  for (int i = 0; i < 4 && has_callbacks; i++)
    EXPECT_EQ(unregister_ftrace_function(&kAll[i]->ops), 0);
  printf("called %d\n", 3 * kCalls);
  return failures;
}
