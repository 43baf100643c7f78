// A site that has a uprobe of the kernel's from the start is left alone and reported; other functions
// are traced, and the probe counts on. When the probe has gone the function is traced.
// REQUIRES: uprobe
// RUN: %traced_cc -O1 %s -o %t %static
// RUN: %trace_linked -p '' -s log=stderr -k 1024 -- %t %t 2> %t.err
// RUN: grep "1 functions have a breakpoint or uprobe at their entry and are left alone" %t.err
#include "text.h"
#include <ftrace.h>
#include "uprobe.h"

NOINLINE void probed(void) { KEEP(0); }
NOINLINE void other(void) { KEEP(0); }

UNTRACED static void call_both(int n) {
  for (int i = 0; i < n; i++)
    probed(), other();
}

UNTRACED int main(int count, char **arguments) {
  uint64_t hits = 0;
  int probe = open_probe(arguments[count - 1], probed);
  call_both(3);
  EXPECT_EQ(tracing_set_tracer("function"), 0);
  EXPECT_EQ(*(unsigned char *)other, 0xe8);
  call_both(4);
  EXPECT_EQ(tracing_set_tracer("nop"), 0);
  call_both(5);
  EXPECT(read(probe, &hits, sizeof hits) == sizeof hits);
  EXPECT_EQ(hits, 12);
  close(probe);
  EXPECT_EQ(text_differing(), 0);
  EXPECT_EQ(tracing_set_tracer("function"), 0);
  EXPECT_EQ(*(unsigned char *)probed, 0xe8);
  call_both(1);
  EXPECT_EQ(tracing_set_tracer("nop"), 0);
  return failures;
}
