// Callbacks that change every vector, mask, x87 and control register leave all registers of the
// program as they were: on entry to the function, and on its return; whatever the ops' flags,
// alone, beside others and under function_graph.
// RUN: %traced_cc -O1 %s -o %t %linked && %trace_linked -p '' -- %t
#include "registers.h"
#include "ops.h"
#include <asm/ptrace.h>

REGISTERS_FUNCTION(plain, 1, 0);
static long callbacks, all_seen;
// With SAVE_REGS, ftrace_get_regs() has every register as the caller has set it.
UNTRACED static void see(struct ftrace_regs *regs) {
  const struct pt_regs *all = ftrace_get_regs(regs);
  if (!all)
    return;
  all_seen++;
  const struct Registers *set = &caller_set;
  const uint64_t seen[] = {all->rax, all->rbx, all->rcx, all->rdx, all->rsi, all->rdi, all->rbp, all->r8, all->r9, all->r10, all->r11, all->r12, all->r13, all->r14, all->r15};
  const uint64_t wanted[] = {set->rax, set->rbx, set->rcx, set->rdx, set->rsi, set->rdi, set->rbp, set->r8, set->r9, set->r10, set->r11, set->r12, set->r13, set->r14, set->r15};
  for (unsigned i = 0; i < sizeof seen / sizeof *seen; i++)
    EXPECT_EQ(seen[i], wanted[i]);
}
// Other values in all that xsave moves; nothing of it is saved by anybody but the runtime.
static struct Registers mess;
UNTRACED static void spoil(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops, struct ftrace_regs *regs) {
  (void)ip, (void)parent_ip, (void)ops, (void)regs;
  callbacks++;
  see(regs);
  uint16_t control;
  uint32_t mxcsr;
  __asm__ volatile("fnstcw %0\n stmxcsr %1" : "=m"(control), "=m"(mxcsr));
  __asm__ volatile("xrstor64 %0\n" ::"m"(mess.xsave), "a"(registers_mask), "d"(0));
  __asm__ volatile("fninit\n fldcw %0\n ldmxcsr %1\n" ::"m"(control), "m"(mxcsr)); // C code needs them sane
}
UNTRACED static void keep(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops, struct ftrace_regs *regs) {
  (void)ip, (void)parent_ip, (void)ops, (void)regs;
  callbacks++;
}
UNTRACED __attribute__((used)) void registers_in_callee(void) {}
static int graph;
UNTRACED static void check(const char *what, long wanted) {
  registers_callee = (void *)plain;
  for (int i = 0; i < 200; i++) {
    registers_fill(&caller_set, (uint64_t)__builtin_frame_address(0));
    registers_fill(&callee_set, caller_set.rbp);
    registers_fill(&mess, 0);
    callbacks = 0;
    run_registers();
    EXPECT_EQ(callbacks, wanted);
    if (graph) // its frame stands between
      callee_found.rbp = callee_set.rbp;
    registers_compare(what, &callee_found, &caller_set);
    registers_compare(what, &caller_found, &callee_set);
  }
}

UNTRACED int main(void) {
  static const unsigned long kFlags[] = {0, FTRACE_OPS_FL_SAVE_REGS, FTRACE_OPS_FL_RECURSION_SAFE, FTRACE_OPS_FL_SAVE_REGS | FTRACE_OPS_FL_RECURSION_SAFE};
  static struct ftrace_ops spoils[4], keeps = {.func = keep, .flags = FTRACE_OPS_FL_GENERAL_REGS | FTRACE_OPS_FL_RECURSION_SAFE};
  registers_start();
  check("no callback", 0);
  EXPECT_EQ(all_seen, 0);
  for (int tracer = 0; tracer < 2; tracer++) {
    EXPECT_EQ(tracing_set_tracer(tracer ? "function_graph" : "nop"), 0);
    graph = tracer;
    for (int i = 0; i < 4; i++) {
      spoils[i].func = spoil, spoils[i].flags = (spoils[i].flags & FTRACE_OPS_FL_INITIALIZED) | kFlags[i];
      EXPECT_EQ(set_filter(&spoils[i], "plain", 1), 0);
      EXPECT_EQ(register_ftrace_function(&spoils[i]), 0);
      check("one", 1);
      EXPECT_EQ(register_ftrace_function(&keeps), 0);
      check("two", 2);
      EXPECT_EQ(unregister_ftrace_function(&spoils[i]), 0);
      check("the other", 1);
      EXPECT_EQ(unregister_ftrace_function(&keeps), 0);
    }
    for (int i = 0; i < 4; i++)
      EXPECT_EQ(register_ftrace_function(&spoils[i]), 0);
    check("four", 4);
    for (int i = 0; i < 4; i++)
      EXPECT_EQ(unregister_ftrace_function(&spoils[i]), 0);
  }
  EXPECT(all_seen > 1000);
  return failures != 0;
}
