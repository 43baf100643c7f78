// With SAVE_REGS, struct pt_regs has every register as the caller has set it, as the kernel's has: x0 to x30, sp, pc
// and the flags. x16 and x17, which a linker's veneer may change, are 0. A result in memory (x8) arrives.
// RUN: %traced_cc -O1 %s -o %t %static && %run_nop %t
#include "program.h"
#include <asm/ptrace.h>
#include <ftrace.h>
#include <stdint.h>

struct Large { long words[9]; };
__attribute__((used, noinline)) struct Large traced(long first) {
  KEEP(first);
  return (struct Large){{first, 2, 3, 4, 5, 6, 7, 8, 9}};
}

static long callbacks;
extern const char returns_here[];
uint64_t callers_sp, callers_frame, to_memory;
UNTRACED static void see(unsigned long ip, unsigned long parent, struct ftrace_ops *ops, struct ftrace_regs *regs) {
  (void)ops; // there is one
  const struct user_pt_regs *all = (const struct user_pt_regs *)ftrace_get_regs(regs);
  callbacks++;
  EXPECT(all);
  if (!all)
    return;
  for (int i = 0; i < 29; i++)
    EXPECT_EQ(all->regs[i], i == 16 || i == 17 ? 0 : i == 8 ? (long)to_memory : i == 18 ? (long)all->regs[18] : 1000 + i);
  EXPECT_EQ(all->regs[29], callers_frame);
  EXPECT_EQ(all->regs[30], returns_here);
  EXPECT_EQ(parent, returns_here);
  EXPECT_EQ(all->sp, callers_sp);
  EXPECT_EQ(all->pc, ip + 4);
  EXPECT_EQ(all->pstate & 0xf0000000, 0x60000000); // Z and C
}

#define SET(n) "mov x" #n ", 1000 + " #n "\n"
void call_with_all(struct Large *result);
__asm__(".pushsection .text\n"
        "call_with_all:\n"
        "  stp x29, x30, [sp, -96]!\n mov x29, sp\n"
        "  stp x19, x20, [sp, 16]\n stp x21, x22, [sp, 32]\n stp x23, x24, [sp, 48]\n stp x25, x26, [sp, 64]\n stp x27, x28, [sp, 80]\n"
        "  mov x8, x0\n adrp x1, to_memory\n str x8, [x1, :lo12:to_memory]\n"
        "  mov x2, sp\n adrp x1, callers_sp\n str x2, [x1, :lo12:callers_sp]\n adrp x1, callers_frame\n str x29, [x1, :lo12:callers_frame]\n"
        "  cmp x0, x0\n" // Z and C
        SET(0) SET(1) SET(2) SET(3) SET(4) SET(5) SET(6) SET(7) SET(9) SET(10) SET(11) SET(12) SET(13) SET(14) SET(15)
        SET(19) SET(20) SET(21) SET(22) SET(23) SET(24) SET(25) SET(26) SET(27) SET(28)
        "  bl traced\n"
        "returns_here:\n"
        "  ldp x19, x20, [sp, 16]\n ldp x21, x22, [sp, 32]\n ldp x23, x24, [sp, 48]\n ldp x25, x26, [sp, 64]\n ldp x27, x28, [sp, 80]\n"
        "  ldp x29, x30, [sp], 96\n ret\n .popsection\n");

UNTRACED int main(void) {
  struct ftrace_ops ops = {.func = see, .flags = FTRACE_OPS_FL_SAVE_REGS};
  EXPECT_EQ(ftrace_set_filter(&ops, (const unsigned char *)"traced", 6, 1), 0);
  EXPECT_EQ(register_ftrace_function(&ops), 0);
  static const char *const kTracers[] = {"nop", "function_graph"};
  for (int i = 0; i < 2; i++) {
    EXPECT_EQ(tracing_set_tracer(kTracers[i]), 0);
    struct Large result = {{0}};
    call_with_all(&result);
    EXPECT_EQ(result.words[0], 1000);
    EXPECT_EQ(result.words[8], 9);
  }
  EXPECT_EQ(unregister_ftrace_function(&ops), 0);
  EXPECT_EQ(callbacks, 2);
  return failures != 0;
}
