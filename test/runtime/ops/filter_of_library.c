// `:mod:` and plain globs wait for libraries that are loaded later, one that waits is no empty
// filter whatever is taken out, and an unloaded library takes its functions along.
// RUN: %traced_cc -O1 -shared -fPIC -DLIBRARY %s -o %t.library.so
// RUN: %traced_cc -O1 %s -o %t %linked && %trace_linked -p '' -- %t %t.library.so
#include "ops.h"
#ifdef LIBRARY
NOINLINE void in_one(void) { KEEP(0); }
NOINLINE void in_two(void) { KEEP(0); }
#else
#include <dlfcn.h>
NOINLINE void here(void) { KEEP(0); }
static struct Counted waits = COUNTED(0), reduced = COUNTED(0), globs = COUNTED(0), others = COUNTED(0), addresses = COUNTED(0), first_comes = COUNTED(0);

UNTRACED int main(int count, char **arguments) {
  EXPECT_EQ(count, 2);
  EXPECT_EQ(set_filter(&waits.ops, ":mod:*library", 1), 0);
  EXPECT_EQ(set_filter(&reduced.ops, "in_*:mod:*library*", 1), 0);
  EXPECT_EQ(set_filter(&reduced.ops, "!in_one:mod:*library*", 0), 0);
  EXPECT_EQ(set_filter(&reduced.ops, "!here", 0), 0);
  EXPECT_EQ(set_filter(&globs.ops, "*e", 1), 0); // here, in_one
  EXPECT_EQ(set_notrace(&others.ops, ":mod:*.library.so", 1), 0);
  EXPECT_EQ(ftrace_set_filter_ip(&addresses.ops, (unsigned long)here, 0, 1), 0);
  struct Counted *all[] = {&waits, &reduced, &globs, &others, &addresses};
  for (int i = 0; i < 5; i++)
    EXPECT_EQ(register_ftrace_function(&all[i]->ops), 0);
  for (int round = 0; round < 50; round++) {
    here();
    EXPECT_EQ(calls_of(&waits), 0);
    EXPECT_EQ(calls_of(&reduced), 0);
    EXPECT_EQ(calls_of(&globs), 1);
    EXPECT_EQ(calls_of(&others), 1);
    EXPECT_EQ(calls_of(&addresses), 1);
    void *library = dlopen(arguments[1], RTLD_NOW);
    ((void (*)(void))dlsym(library, "in_one"))();
    ((void (*)(void))dlsym(library, "in_two"))();
    EXPECT_EQ(calls_of(&waits), 2);
    EXPECT_EQ(calls_of(&reduced), 1);
    EXPECT_EQ(calls_of(&globs), 1);
    EXPECT_EQ(calls_of(&others), 0);
    EXPECT_EQ(calls_of(&addresses), 0);
    if (round == 0) { // something that is set while it is loaded, and has nothing else
      EXPECT_EQ(set_filter(&first_comes.ops, "in_two", 1), 0);
      EXPECT_EQ(register_ftrace_function(&first_comes.ops), 0);
    } else {
      EXPECT_EQ(calls_of(&first_comes), 1);
    }
    EXPECT_EQ(dlclose(library), 0);
    EXPECT_EQ(set_filter(&first_comes.ops, "!here", 0), 0); // was not in it
    here();
    EXPECT_EQ(calls_of(&first_comes), 0);
    EXPECT_EQ(calls_of(&others) + calls_of(&globs) + calls_of(&addresses), 3);
  }
  return failures;
}
#endif
