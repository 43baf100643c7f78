// The function that a site's trampoline calls, by the kernel's rule: the callback itself where it looks after itself, the assist where it does not, the list for several, the stub. Only the functions that they share have the list, wherever an ops lies.
// RUN: %traced_cc -O1 %s -o %t %static && %trace_linked -p '' -- %t
#include "ops.h"

// arch/callback_path.h
struct Call { void *func; struct ftrace_ops *ops; };
extern struct Call **nophook_calls;
void ftrace_ops_assist_func(void), ftrace_ops_list_func(void);
enum { kSafe = FTRACE_OPS_FL_RECURSION_SAFE | FTRACE_OPS_FL_GENERAL_REGS };

NOINLINE static void called(void) { KEEP(0); }
NOINLINE static void other(void) { KEEP(0); }
UNTRACED static void expect(unsigned long flags, void *func) {
  static struct Counted counted[8];
  struct Counted *one = &counted[flags % 8]; // kinds have memory of their own
  memset(one, 0, sizeof *one);
  one->ops.func = count_call;
  one->ops.flags = flags;
  EXPECT_EQ(register_ftrace_function(&one->ops), 0);
  const struct Call *call = nophook_calls[0]; // the first function's
  if (flags & FTRACE_OPS_FL_STUB) // a function that does nothing, no other kind's
    EXPECT(call && call->func != (void *)count_call && call->func != (void *)ftrace_ops_assist_func && call->func != (void *)ftrace_ops_list_func);
  else
    EXPECT(call && call->func == (func ? func : (void *)count_call));
  called();
  EXPECT_EQ(calls_of(one), !(flags & FTRACE_OPS_FL_STUB));
  EXPECT_EQ(unregister_ftrace_function(&one->ops), 0);
  ftrace_free_filter(&one->ops);
}

UNTRACED int main(void) {
  expect(kSafe, NULL);
  expect(0, (void *)ftrace_ops_assist_func);
  expect(FTRACE_OPS_FL_RECURSION_SAFE, (void *)ftrace_ops_assist_func);
  expect(FTRACE_OPS_FL_GENERAL_REGS, (void *)ftrace_ops_assist_func);
  expect(kSafe | FTRACE_OPS_FL_RCU, (void *)ftrace_ops_assist_func);
  expect(FTRACE_OPS_FL_STUB, NULL);
  expect(kSafe | FTRACE_OPS_FL_TRACE_ARRAY, NULL); // it says what `private` is, and changes nothing
  static struct Counted beside = COUNTED(kSafe), newest = COUNTED(kSafe);
  EXPECT_EQ(register_ftrace_function(&beside.ops), 0);
  EXPECT_EQ(register_ftrace_function(&newest.ops), 0);
  EXPECT(newest.ops.next == &beside.ops);
  EXPECT_EQ(unregister_ftrace_function(&newest.ops), 0);
  expect(kSafe, (void *)ftrace_ops_list_func);
  EXPECT_EQ(calls_of(&beside), 1);
  EXPECT(nophook_calls[0]->func == (void *)count_call); // it is alone again
  EXPECT_EQ(tracing_set_tracer("function"), 0);
  EXPECT(nophook_calls[0]->func == (void *)ftrace_ops_list_func);
  EXPECT_EQ(tracing_set_tracer("nop"), 0);
  struct Counted one = COUNTED(kSafe); // DYNAMIC, which leads to the list in the kernel
  EXPECT_EQ(set_filter(&one.ops, "called", 1), 0);
  EXPECT_EQ(register_ftrace_function(&one.ops), 0);
  EXPECT(one.ops.flags & FTRACE_OPS_FL_DYNAMIC);
  called(), other();
  EXPECT_EQ(calls_of(&one), 1);
  EXPECT_EQ(calls_of(&beside), 2);
  EXPECT(nophook_calls[0]->func == (void *)ftrace_ops_list_func);
  EXPECT(nophook_calls[1]->func == (void *)count_call);
  EXPECT_EQ(unregister_ftrace_function(&beside.ops), 0);
  EXPECT(nophook_calls[0]->func == (void *)count_call);
  EXPECT_EQ(unregister_ftrace_function(&one.ops), 0);
  ftrace_free_filter(&one.ops);
  return failures;
}
