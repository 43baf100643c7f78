// A library that cannot tell us that it goes, as the program has the archive and does not export
// our symbols, is left alone with a line that says why; one that can is traced.
// RUN: %traced_cc -O1 -shared -fPIC -DLIBRARY %s -o %t.so
// RUN: %traced_cc -O1 %s -o %t %static && %trace_linked -p '' -- %t %t.so 0 2> %t.err
// RUN: grep "so: not traceable: the program does not export nophook_unregister_module" %t.err
// RUN: %traced_cc -O1 %s -o %t %static -Wl,--export-dynamic-symbol=nophook_register_module -Wl,--export-dynamic-symbol=nophook_unregister_module
// RUN: %trace_linked -p '' -- %t %t.so 1 2> %t.err && not grep "not traceable" %t.err
#include "ops.h"
#ifdef LIBRARY
NOINLINE void in_library(void) { KEEP(0); }
#else
#include <dlfcn.h>
NOINLINE static void here(void) { KEEP(0); }

UNTRACED int main(int count, char **arguments) {
  static struct Counted early = COUNTED(0), late = COUNTED(0);
  EXPECT_EQ(count, 3);
  int is_traced = atoi(arguments[2]);
  void *library = dlopen(arguments[1], RTLD_NOW);
  void (*in_library)(void) = (void (*)(void))dlsym(library, "in_library");
  EXPECT_EQ(register_ftrace_function(&early.ops), 0); // this looks for libraries
  in_library(), here();
  EXPECT_EQ(calls_of(&early), 1 + is_traced);
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
