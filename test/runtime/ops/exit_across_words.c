// Exit probes come and go on a function that a callback or the function tracer has, whose site lies across two words, so
// that a call becomes a jump and a jump a call again: neither loses a call.
// RUN: %traced_cc -O1 -DOFFSET=4 %s -o %t.4 %linked
// RUN: %trace_linked -p '' -k 65536 -- %t.4 > %t.out && %show --expect %t.out %t.buf
// RUN: env NOPHOOK_POKE=skip %trace_linked -p '' -k 65536 -- %t.4 > %t.out && %show --expect %t.out %t.buf
// RUN: %traced_cc -O1 -DOFFSET=7 %s -o %t.7 %linked
// RUN: env NOPHOOK_POKE=store %trace_linked -p '' -k 65536 -- %t.7 > %t.out && %show --expect %t.out %t.buf
#include "ops.h"
#include <pthread.h>
#define TEXT(x) #x
#define VALUE(x) TEXT(x)
void called(void);
__asm__(".pushsection .text\n.p2align 4\n.skip " VALUE(OFFSET) ", 0x90\n.globl called\n.type called, @function\n"
        "called: .byte 0x0f, 0x1f, 0x44, 0x00, 0x08\n ret\n.size called, . - called\n.popsection\n"
        ".pushsection __mcount_loc, \"aw\", @progbits\n .p2align 3\n .quad called\n .popsection\n");

enum { kThreads = 2, kCalls = 25000 };
static int running;
UNTRACED static void *run(void *unused) {
  for (int i = 0; i < kCalls; i++) {
    called();
    if (i % 64 == 0)
      sched_yield();
  }
  __atomic_fetch_sub(&running, 1, __ATOMIC_RELEASE);
  return unused;
}
UNTRACED static void at_exit(struct fprobe *probe, unsigned long ip, unsigned long ret, struct ftrace_regs *regs, void *data) {
  (void)probe, (void)ip, (void)ret, (void)regs, (void)data;
}

UNTRACED static void come_and_go(void) {
  static struct fprobe probe = {.exit_handler = at_exit};
  pthread_t threads[kThreads];
  running = kThreads;
  for (int i = 0; i < kThreads; i++)
    pthread_create(&threads[i], NULL, run, NULL);
  while (__atomic_load_n(&running, __ATOMIC_ACQUIRE)) {
    EXPECT_EQ(*(unsigned char *)called, 0xe8);
    EXPECT_EQ(register_fprobe(&probe, "called", NULL), 0);
    EXPECT_EQ(*(unsigned char *)called, 0xe9);
    EXPECT_EQ(unregister_fprobe(&probe), 0);
  }
  for (int i = 0; i < kThreads; i++)
    pthread_join(threads[i], NULL);
}

UNTRACED int main(void) {
  static struct Counted counted = COUNTED(0), full = COUNTED(FTRACE_OPS_FL_SAVE_REGS);
  EXPECT_EQ((unsigned long)called % 8, OFFSET);
  EXPECT_EQ(register_ftrace_function(&counted.ops), 0);
  come_and_go();
  EXPECT_EQ(register_ftrace_function(&full.ops), 0);
  come_and_go();
  EXPECT_EQ(unregister_ftrace_function(&counted.ops), 0);
  EXPECT_EQ(unregister_ftrace_function(&full.ops), 0);
  EXPECT_EQ(counted.calls, 2 * kThreads * kCalls);
  EXPECT_EQ(full.calls, kThreads * kCalls);
  EXPECT_EQ(tracing_set_tracer("function"), 0);
  come_and_go();
  EXPECT_EQ(tracing_set_tracer("nop"), 0);
  printf("called %d\n", kThreads * kCalls);
  return failures != 0;
}
