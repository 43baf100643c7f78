// A program with the archive in it runs under a preloaded runtime: the program's own works, with
// its API and for libraries that arrive later; the other stands back. One of another version
// says so.
// RUN: %traced_cc -O1 -shared -fPIC -DLIBRARY %s -o %t.so
// RUN: %traced_cc -O1 %s -o %t %static
// RUN: %trace -p function -- %t %t.so > %t.out 2> %t.err && %show --expect %t.out %t.buf
// RUN: %show --python 'len(buffers) == 1' %t.buf && not grep nophook %t.err
// RUN: %support/set_word.py %t nophook_runtime 99 %t.other && chmod +x %t.other
// RUN: %trace -p function -- %t.other %t.so > %t.out 2> %t.err
// RUN: %show --python 'len(buffers) == 1' %t.buf && FileCheck %s < %t.err
// CHECK: another version of the runtime is in this process: this one stays off
#include "program.h"
#ifdef LIBRARY
NOINLINE int in_library(int n) { return n + 1; }
#else
#include "text.h"
#include <dlfcn.h>
#include <ftrace.h>
NOINLINE static void work(void) { KEEP(0); }
UNTRACED int main(int count, char **arguments) {
  void *library = dlopen(arguments[count - 1], RTLD_NOW);
  int (*in_library)(int) = (int (*)(int))dlsym(library, "in_library");
  EXPECT_EQ(in_library(1), 2);
  work();
  EXPECT_EQ(tracing_set_tracer("nop"), 0);
  EXPECT_EQ(text_differing(), 0);
  work();
  EXPECT_EQ(tracing_set_tracer("function"), 0);
  EXPECT_EQ(in_library(1), 2);
  work();
  EXPECT_EQ(tracing_set_tracer("nop"), 0);
  printf("work 2\nin_library 2\n");
  return failures;
}
#endif
