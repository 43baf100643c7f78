// A library that comes while instances trace is in their buffers by its names, with what they record
// of a call, each time that it is loaded.
// RUN: %traced_cc -O1 -shared -fPIC -DLIBRARY %s -o %t.so
// RUN: %traced_cc -O1 %s -o %t %linked && %trace_linked -p '' -- %t %t.so
// RUN: %python %support/instances.py %t.buf | FileCheck %s
// RUN: %nophook report %t.buf/*@foo.buf | FileCheck %s --check-prefix=VALUES
// CHECK:      bar: in_library 60
// CHECK-NEXT: foo: in_constructor 20, in_library 60
// CHECK-NOT:  {{.}}
// VALUES-COUNT-20: in_library(n=7)
#include "tree.h"
#ifdef LIBRARY
int in_library(int n);
NOINLINE int in_library(int n) { return n + 1; }
__attribute__((constructor)) static void in_constructor(void) { KEEP(0); }
#else
#include <dlfcn.h>

UNTRACED int main(int count, char **arguments) {
  EXPECT_EQ(count, 2);
  EXPECT_EQ(tracefs_mkdir("instances/foo"), 0);
  EXPECT_EQ(echo("func-args", "instances/foo/trace_options", 0), 0);
  EXPECT_EQ(echo("function", "instances/foo/current_tracer", 0), 0);
  EXPECT_EQ(tracefs_mkdir("instances/bar"), 0);
  EXPECT_EQ(echo("function_graph", "instances/bar/current_tracer", 0), 0);
  EXPECT_EQ(tracefs_write("instances/bar/set_ftrace_notrace", "*constructor:mod:*", 18, 0), 0);
  for (int i = 0; i < 20; i++) {
    void *library = dlopen(arguments[1], RTLD_NOW);
    int (*function)(int) = (int (*)(int))dlsym(library, "in_library");
    for (int n = 7; n < 10; n++)
      EXPECT_EQ(function(n), n + 1);
    EXPECT_EQ(dlclose(library), 0);
  }
  return failures;
}
#endif
