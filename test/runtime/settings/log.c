// The runtime writes to the program's standard error only if NOPHOOK=log=stderr asks for it: not when
// a library comes while callbacks are registered, nor under a tracer. Its messages are in the control
// tree's file `log`, and in the file that log= names.
// RUN: %traced_cc -O1 -shared -fPIC -DLIBRARY %s -o %t.so
// RUN: %traced_cc -O1 %s -o %t %linked && rm -rf %t.buf && mkdir %t.buf
// RUN: %t %t.so 2> %t.err && not grep . %t.err
// RUN: env NOPHOOK="current_tracer=function buffer_dir=%t.buf" %t %t.so 2> %t.err && not grep . %t.err
// RUN: env NOPHOOK=log=stderr %t %t.so 2>&1 | FileCheck --check-prefix=ASKED %s
// RUN: rm -f %t.log && env NOPHOOK=log=%t.log %t %t.so 2> %t.err && not grep . %t.err
// RUN: FileCheck --check-prefix=ASKED %s < %t.log
// RUN: env NOPHOOK="log=relative current_tracer=nop" %t %t.so 2>&1 | FileCheck --check-prefix=WRONG %s
// ASKED: nophook: ftrace: allocating {{.*}} entries in 1 pages
// ASKED: nophook: ftrace: allocating 1 entries in 1 pages
// WRONG: nophook: NOPHOOK: log=relative: log is stderr, or an absolute path
// WRONG-NOT: {{.}}
#include "ops.h"
#ifdef LIBRARY
NOINLINE void in_library(void) { KEEP(0); }
#else
#include "../tracefs/tree.h"
#include <dlfcn.h>
NOINLINE static void here(void) { KEEP(0); }
UNTRACED int main(int count, char **arguments) {
  static struct Counted counted = COUNTED(0);
  EXPECT_EQ(count, 2);
  EXPECT_EQ(register_ftrace_function(&counted.ops), 0);
  here();
  void *library = dlopen(arguments[1], RTLD_NOW);
  EXPECT(strstr(cat("log"), "ftrace: allocating 1 entries in 1 pages\n") != NULL);
  EXPECT_EQ(echo("", "log", 0), 0);
  EXPECT_EQ(strlen(cat("log")), 0);
  EXPECT_EQ(dlclose(library), 0);
  EXPECT_EQ(unregister_ftrace_function(&counted.ops), 0);
  return failures;
}
#endif
