// From a callback, backtrace() and a walk along frame pointers see the traced function, its caller
// and the caller's caller.
// RUN: %traced_cc -O1 -fno-omit-frame-pointer -fno-optimize-sibling-calls -rdynamic %s -o %t %linked && %trace_linked -p '' -- %t
// RUN: %traced_cc -O1 -fno-omit-frame-pointer -fno-optimize-sibling-calls -fcf-protection=full -rdynamic %s -o %t %linked && %trace_linked -p '' -- %t
#include "ops.h"
#include "walk.h"
#include <execinfo.h>

const char *const walk_names[] = {"called", "caller", "grandmother", "main", NULL};
NOINLINE void called(void) { KEEP(0); }
NOINLINE void caller(void) { called(); KEEP(0); }
NOINLINE void grandmother(void) { caller(); KEEP(0); }
static int callbacks;
UNTRACED static void look(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops, struct ftrace_regs *regs) {
  (void)regs, (void)ops;
  void *addresses[40];
  List by_tables = {""}, by_pointers = {""};
  int depth = backtrace(addresses, 40);
  for (int i = 0; i < depth; i++)
    walk_add(&by_tables, (uintptr_t)addresses[i] - 1);
  const uintptr_t *frame = (const uintptr_t *)__builtin_frame_address(0);
  for (int i = 0; i < 12 && !strstr(by_pointers.text, "main"); i++, frame = (const uintptr_t *)frame[0])
    walk_add(&by_pointers, frame[1] - 1);
  EXPECT(strcmp(by_tables.text, "called caller grandmother main ") == 0);
  EXPECT(strcmp(by_pointers.text, "called caller grandmother main ") == 0);
  EXPECT(strcmp(walk_look_up(ip), "called") == 0);
  EXPECT(strcmp(walk_look_up(parent_ip - 1), "caller") == 0);
  callbacks++;
}

UNTRACED int main(void) {
  static const unsigned long kFlags[] = {0, FTRACE_OPS_FL_SAVE_REGS, FTRACE_OPS_FL_RECURSION_SAFE};
  static struct Counted other = COUNTED(0);
  for (int i = 0; i < 6; i++) {
    struct ftrace_ops ops = {.func = look, .flags = kFlags[i % 3]};
    EXPECT_EQ(set_filter(&ops, "called", 1), 0);
    EXPECT_EQ(register_ftrace_function(&ops), 0);
    EXPECT_EQ(i >= 3 ? register_ftrace_function(&other.ops) : 0, 0);
    grandmother();
    EXPECT_EQ(i >= 3 ? unregister_ftrace_function(&other.ops) : 0, 0);
    EXPECT_EQ(unregister_ftrace_function(&ops), 0);
    ftrace_free_filter(&ops);
  }
  EXPECT_EQ(callbacks, 6);
  return failures;
}
