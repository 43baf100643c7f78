// DYNAMIC: set for an ops on the heap or the stack, or in a library that was dlopen'ed; not in the
// program or a library that it was linked with.
// RUN: %traced_cc -O1 -shared -fPIC -DLIBRARY=in_library %s -o %t.1.so
// RUN: %traced_cc -O1 -shared -fPIC -DLIBRARY=in_needed %s -o %t.2.so
// RUN: %traced_cc -O1 %s -o %t %linked -Wl,--no-as-needed %t.2.so && %trace_linked -p '' -- %t %t.1.so
// RUN: %traced_cc -O1 -DSTATIC -static %s -o %t %static && %trace_linked -p '' -- %t
#include "ops.h"
#ifdef LIBRARY
struct ftrace_ops LIBRARY;
#else
#ifndef STATIC
#include <dlfcn.h>
extern struct ftrace_ops in_needed;
#endif
NOINLINE void alpha(void) { KEEP(0); }
static struct ftrace_ops in_program;
UNTRACED static void nothing(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops, struct ftrace_regs *regs) { (void)ip, (void)parent_ip, (void)ops, (void)regs; }
UNTRACED static void expect(struct ftrace_ops *ops, int is_dynamic) {
  ops->func = nothing;
  for (int i = 0; i < 2; i++) {
    EXPECT_EQ(register_ftrace_function(ops), 0);
    EXPECT_EQ((ops->flags & FTRACE_OPS_FL_DYNAMIC) != 0, is_dynamic);
    EXPECT_EQ(unregister_ftrace_function(ops), 0);
  }
}

UNTRACED int main(int count, char **arguments) {
  struct ftrace_ops on_stack = {.func = NULL};
  expect(&in_program, 0);
  expect(&on_stack, 1);
  expect((struct ftrace_ops *)calloc(1, sizeof(struct ftrace_ops)), 1);
#ifndef STATIC
  expect(&in_needed, 0);
  void *library = dlopen(arguments[count - 1], RTLD_NOW);
  expect((struct ftrace_ops *)dlsym(library, "in_library"), 1);
  expect(&in_needed, 0);
#endif
  (void)count, (void)arguments;
  return failures;
}
#endif
