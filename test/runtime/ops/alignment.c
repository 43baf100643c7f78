// Callbacks run on an aligned stack, whatever the caller's, and see a clear direction flag; the
// stack below the function's entry is theirs, and above it nothing is touched.
// RUN: %traced_cc -O1 %s -o %t %linked && %trace_linked -p '' -- %t
#include "ops.h"

NOINLINE void called(void) { KEEP(0); }
static long callbacks;
static unsigned long wrong;
UNTRACED static void look(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops, struct ftrace_regs *regs) {
  (void)ip, (void)parent_ip, (void)ops, (void)regs;
  unsigned long flags;
  char room[64] __attribute__((aligned(16)));
  __asm__ volatile("pushfq\n pop %0" : "=r"(flags));
  KEEP(room);
  wrong |= flags & 0x400;
  wrong |= (unsigned long)__builtin_frame_address(0) & 15;
  __asm__ volatile("movaps %%xmm0, (%0)" ::"r"(room) : "memory");
  callbacks++;
}
// Calls `called` with rsp at `shift` below an aligned address, and a pattern above; returns 0 if
// that is as it was.
long call_misaligned(long shift);
__asm__("        .text\n"
        "call_misaligned:\n"
        "        push    %rbp\n"
        "        mov     %rsp, %rbp\n"
        "        and     $-64, %rsp\n"
        "        sub     %rdi, %rsp\n"
        "        movabs  $0x5a5a5a5a5a5a5a5a, %rax\n"
        "        push    %rax\n"
        "        push    %rax\n"
        "        call    called\n"
        "        movabs  $0x5a5a5a5a5a5a5a5a, %rcx\n"
        "        pop     %rax\n"
        "        xor     %rcx, %rax\n"
        "        pop     %rdx\n"
        "        xor     %rcx, %rdx\n"
        "        or      %rdx, %rax\n"
        "        leave\n"
        "        ret\n");

UNTRACED int main(void) {
  static const unsigned long kFlags[] = {0, FTRACE_OPS_FL_SAVE_REGS, FTRACE_OPS_FL_GENERAL_REGS | FTRACE_OPS_FL_RECURSION_SAFE};
  for (int i = 0; i < 3; i++) {
    struct ftrace_ops ops = {.func = look, .flags = kFlags[i]};
    static struct Counted other = COUNTED(0);
    EXPECT_EQ(register_ftrace_function(&ops), 0);
    for (int several = 0; several < 2; several++) {
      callbacks = 0;
      for (long shift = 0; shift < 64; shift++)
        EXPECT_EQ(call_misaligned(shift), 0);
      EXPECT_EQ(callbacks, 64);
      EXPECT_EQ(wrong, 0);
      EXPECT_EQ((several ? unregister_ftrace_function : register_ftrace_function)(&other.ops), 0);
    }
    EXPECT_EQ(unregister_ftrace_function(&ops), 0);
  }
  return failures;
}
