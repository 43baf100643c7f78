// Functions that run before the runtime's constructor, after it, and after main: before, the API answers and nothing is
// traced; the rest is traced, up to the last destructor.
// RUN: %traced_cc -O1 %s -o %t -static %static
// RUN: %trace_linked -p function -- %t > %t.out && %show --expect %t.out %t.buf
// RUN: %traced_cc -O1 %s -o %t %linked
// RUN: %trace_linked -p function -- %t > %t.out && %show --expect %t.out %t.buf
#include "program.h"
#include <errno.h>
#include <ftrace.h>
#include <string.h>

NOINLINE static void work(void) { KEEP(0); }
UNTRACED static void before_all(void) {
  work();
  EXPECT_EQ(strcmp(tracing_get_tracer(), "nop"), 0);
  EXPECT_EQ(tracing_set_tracer("function"), -ENODEV);
  EXPECT_EQ(tracing_set_tracer("nop"), 0);
  work();
}
__attribute__((section(".preinit_array"), used)) static void (*const first)(void) = before_all;
__attribute__((constructor(102))) static void early(void) { work(); }
__attribute__((constructor)) static void late(void) { work(); }
__attribute__((destructor)) static void last(void) { work(); }
int main(void) {
  EXPECT_EQ(strcmp(tracing_get_tracer(), "function"), 0);
  printf("early 1\nlate 1\nlast 1\nmain 1\nwork 3\n");
  return failures;
}
