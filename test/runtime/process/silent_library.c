// A library that finds no symbol of ours, as the program has the archive and does not export them, is
// traced if it is there when tracing begins, and reports to us that it goes.
// RUN: %traced_cc -O1 -shared -fPIC -DLIBRARY %s -o %t.so
// RUN: %traced_cc -O1 %s -o %t %static && %trace_linked -p '' -- %t %t.so
// RUN: %traced_cc -O1 %s -o %t %static -Wl,--export-dynamic-symbol=nophook_register_module -Wl,--export-dynamic-symbol=nophook_unregister_module
// RUN: %trace_linked -p '' -- %t %t.so
#include "ops.h"
#ifdef LIBRARY
NOINLINE void in_library(void) { KEEP(0); }
#else
#include <dlfcn.h>
NOINLINE static void here(void) { KEEP(0); }

UNTRACED int main(int count, char **arguments) {
  static struct Counted early = COUNTED(0), late = COUNTED(0);
  EXPECT_EQ(count, 2);
  void *library = dlopen(arguments[1], RTLD_NOW);
  void (*in_library)(void) = (void (*)(void))dlsym(library, "in_library");
  EXPECT_EQ(register_ftrace_function(&early.ops), 0); // this looks for libraries
  in_library(), here();
  EXPECT_EQ(calls_of(&early), 2);
  EXPECT_EQ(dlclose(library), 0);
  EXPECT_EQ(register_ftrace_function(&late.ops), 0); // this would write to its text
  here();
  EXPECT_EQ(calls_of(&late), 1);
  EXPECT_EQ(unregister_ftrace_function(&early.ops), 0);
  EXPECT_EQ(unregister_ftrace_function(&late.ops), 0);
  EXPECT_EQ(text_differing(), 0);
  return failures;
}
#endif
