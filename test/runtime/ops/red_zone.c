// The words that a leaf function keeps below the stack pointer stay, though a signal handler comes in between that
// calls traced functions: under each tracer, with callbacks of each kind and with exits.
// RUN: %traced_cc -O1 %s -o %t %linked && %trace_linked -p '' -k 1024 -- %t
// RUN: env NOPHOOK_POKE=trap %trace_linked -p '' -k 1024 -- %t
#include "ops.h"
#include <signal.h>
#include <sys/syscall.h>

// Writes sixteen words below the stack pointer, sends itself a signal, and sums them up again.
long leaf(long seed, long pid, long tid);
__asm__(".pushsection .text\n.globl leaf\n.type leaf, @function\n.p2align 4\n"
        "leaf: .byte 0x0f, 0x1f, 0x44, 0x00, 0x08\n"
        "        .set i, 1\n.rept 16\n movq %rdi, -8*i(%rsp)\n addq $1, %rdi\n .set i, i + 1\n .endr\n"
        "        movq %rsi, %rdi\n movq %rdx, %rsi\n movl $10, %edx\n" // SIGUSR1
        "        movl $234, %eax\n syscall\n"                             // tgkill; the handler runs here
        "        .set i, 1\n.rept 16\n addq -8*i(%rsp), %rax\n .set i, i + 1\n .endr\n"
        "        ret\n.size leaf, . - leaf\n.popsection\n"
        ".pushsection __mcount_loc, \"aw\", @progbits\n .p2align 3\n .quad leaf\n .popsection\n");
static volatile int handled;
NOINLINE static int deep(int n) { KEEP(&n); return n ? deep(n - 1) + 1 : 0; }
NOINLINE static void on_signal(int signal) { handled += deep(signal) == signal; }
UNTRACED static int on_entry(struct fprobe *probe, unsigned long ip, unsigned long ret, struct ftrace_regs *regs, void *data) {
  (void)probe, (void)ip, (void)ret, (void)regs, (void)data;
  return 0;
}
UNTRACED static void on_exit_of(struct fprobe *probe, unsigned long ip, unsigned long ret, struct ftrace_regs *regs, void *data) {
  (void)probe, (void)ip, (void)ret, (void)regs, (void)data;
}
UNTRACED static void check(void) {
  handled = 0;
  for (long i = 0; i < 100; i++)
    EXPECT_EQ(leaf(i, getpid(), syscall(SYS_gettid)), 16 * i + 120);
  EXPECT_EQ(handled, 100);
}

UNTRACED int main(void) {
  static struct Counted kinds[] = {COUNTED(0), COUNTED(FTRACE_OPS_FL_SAVE_REGS), COUNTED(FTRACE_OPS_FL_GENERAL_REGS | FTRACE_OPS_FL_RECURSION_SAFE)};
  static struct fprobe probe = {.entry_data_size = 64, .entry_handler = on_entry, .exit_handler = on_exit_of};
  static const char *const tracers[] = {"function", "function_graph", "nop"};
  signal(SIGUSR1, on_signal);
  check();
  for (int t = 0; t < 3; t++) {
    EXPECT_EQ(tracing_set_tracer(tracers[t]), 0);
    check();
    for (int i = 0; i < 3; i++) {
      EXPECT_EQ(register_ftrace_function(&kinds[i].ops), 0);
      check();
      EXPECT(calls_of(&kinds[i]) >= 100 * (1 + 1 + 11));
    }
    EXPECT_EQ(register_fprobe(&probe, NULL, NULL), 0);
    check();
    EXPECT_EQ(unregister_fprobe(&probe), 0);
    for (int i = 0; i < 3; i++)
      EXPECT_EQ(unregister_ftrace_function(&kinds[i].ops), 0);
  }
  EXPECT_EQ(text_differing(), 0);
  return failures != 0;
}
