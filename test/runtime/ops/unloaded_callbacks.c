// The registrations that a library leaves go with it: ops whose function, and probes whose handler, lie in it, wherever
// they lie themselves. A line names the library for each.
// RUN: %traced_cc -O1 -shared -fPIC -DLIBRARY %s -o %t.so %linked
// RUN: %traced_cc -O1 %s -o %t %linked && %trace_linked -p '' -s log=stderr -- %t %t.so 2> %t.err
// RUN: FileCheck --check-prefix=LOG %s < %t.err
// LOG-COUNT-8: unloaded_callbacks.c.tmp.so is unloaded: a registered callback that lies in it
// LOG-NOT: is unloaded
#include "ops.h"
#ifdef LIBRARY
NOINLINE void in_library(void) { KEEP(0); }
UNTRACED void on_call(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops, struct ftrace_regs *regs) {
  (void)ip, (void)parent_ip, (void)regs;
  __atomic_fetch_add((long *)ops->private, 1, __ATOMIC_RELAXED);
}
UNTRACED void on_exit_of(struct fprobe *probe, unsigned long ip, unsigned long ret, struct ftrace_regs *regs, void *data) {
  (void)ret, (void)data;
  on_call(ip, ret, &probe->ops, regs);
}
static struct ftrace_ops mine = {.func = on_call}, waiting = {.func = on_call};
static struct fprobe my_probe = {.exit_handler = on_exit_of};
UNTRACED void begin(long *count) {
  mine.private = waiting.private = my_probe.ops.private = count;
  EXPECT_EQ(register_ftrace_function(&mine), 0);
  EXPECT_EQ(register_fprobe(&my_probe, "here", NULL), 0);
  EXPECT_EQ(set_filter(&waiting, "here", 1), 0); // known, but not registered
}
#else
#include <dlfcn.h>
NOINLINE static void here(void) { KEEP(0); }
static long count;
UNTRACED static void use(const char *path) {
  static struct ftrace_ops ops;
  static struct fprobe probe;
  void *library = dlopen(path, RTLD_NOW);
  EXPECT(library != NULL);
  ((void (*)(long *))dlsym(library, "begin"))(&count);
  ops.func = (ftrace_func_t)dlsym(library, "on_call");
  *(void **)&probe.exit_handler = dlsym(library, "on_exit_of");
  ops.private = probe.ops.private = &count;
  EXPECT_EQ(register_ftrace_function(&ops), 0);
  EXPECT_EQ(register_fprobe(&probe, "here", NULL), 0);
  count = 0;
  here();
  EXPECT_EQ(count, 4);
  EXPECT_EQ(dlclose(library), 0);
  EXPECT(dlopen(path, RTLD_NOW | RTLD_NOLOAD) == NULL);
  here();
  EXPECT_EQ(count, 4);
  EXPECT_EQ(unregister_ftrace_function(&ops), -ENOENT);
  EXPECT_EQ(unregister_fprobe(&probe), -EINVAL);
}

UNTRACED int main(int arguments, char **argument) {
  static struct Counted other = COUNTED(0);
  EXPECT_EQ(arguments, 2);
  EXPECT_EQ(register_ftrace_function(&other.ops), 0);
  use(argument[1]);
  use(argument[1]);
  EXPECT_EQ(calls_of(&other), 4);
  EXPECT_EQ(unregister_ftrace_function(&other.ops), 0);
  EXPECT_EQ(text_differing(), 0);
  return failures;
}
#endif
