// An exit handler unloads a library that has a callback, and calls the function that it was for: nothing of the library is called.
// RUN: %traced_cc -O1 -shared -fPIC -DLIBRARY %s -o %t.so %linked
// RUN: %traced_cc -O1 %s -o %t %linked && %trace_linked -p '' -- %t %t.so
#include "ops.h"
#ifdef LIBRARY
UNTRACED static void on_call(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops, struct ftrace_regs *regs) {
  (void)ip, (void)parent_ip, (void)regs;
  ++*(long *)ops->private;
}
static struct ftrace_ops mine = {.func = on_call};
UNTRACED void begin(long *count) {
  mine.private = count;
  EXPECT_EQ(set_filter(&mine, "here", 1), 0);
  EXPECT_EQ(register_ftrace_function(&mine), 0);
}
#else
#include <dlfcn.h>
NOINLINE static void here(void) { KEEP(0); }
static long count;
static void *library;
static const char *path;
UNTRACED static void at_exit(void) {
  EXPECT_EQ(dlclose(library), 0);
  EXPECT(dlopen(path, RTLD_NOW | RTLD_NOLOAD) == NULL);
  here();
  EXPECT_EQ(count, 1);
  if (failures)
    _exit(1);
}
UNTRACED int main(int arguments, char **argument) {
  EXPECT_EQ(arguments, 2);
  path = argument[1];
  atexit(at_exit); // before the runtime's own: it runs behind that
  library = dlopen(path, RTLD_NOW);
  EXPECT(library != NULL);
  ((void (*)(long *))dlsym(library, "begin"))(&count);
  here();
  return failures;
}
#endif
