// Where text can be written by no means, calls stay, the log says why, and they are traced all the same.
// RUN: %gcc -shared -fPIC %S/Inputs/refuse_text.c -o %t.refuse.so
// RUN: %gcc -pg -mfentry -c %s -o %t.o && %keep %t.o && %link_kept %t.o -o %t %t.refuse.so %linked
// RUN: env NOPHOOK=log=stderr %t 2> %t.err && FileCheck %s < %t.err
// CHECK: : 4 calls of mcount stay (static tracing): text cannot be made writable
#include "calls.h"
UNTRACED int main(void) {
  static struct ftrace_ops ops = {.func = count_hit};
  EXPECT_EQ(register_ftrace_function(&ops), 0);
  call_all();
  EXPECT_EQ(hits, kFunctions);
  EXPECT_EQ(unregister_ftrace_function(&ops), 0);
  call_all();
  EXPECT_EQ(hits, kFunctions);
  EXPECT_EQ(text_differing(), 0);
  return failures;
}
