// A uprobe that is set on an enabled site takes the function's calls. The loss is reported, with a name; the function is traced again by the next change when the probe has gone, and what the probe leaves behind runs.
// REQUIRES: uprobe
// RUN: %traced_cc -O1 %s -o %t %linked
// RUN: %trace_linked -p '' -s log=stderr -- %t %t 2> %t.err
// RUN: FileCheck %s < %t.err
// CHECK: 1 functions hold foreign code at their entry and are left alone while it is there (a breakpoint or uprobe; probed)
#include "ops.h"
#include "uprobe.h"
#include <tracefs.h>

NOINLINE void probed(void) { KEEP(0); }
NOINLINE void other(void) { KEEP(0); }
static struct Counted counted = COUNTED(0);
UNTRACED static void call_both(int n, long callbacks) {
  for (int i = 0; i < n; i++)
    probed(), other();
  EXPECT_EQ(calls_of(&counted), callbacks);
}
UNTRACED static void expect_nop(void) { EXPECT_EQ(memcmp((void *)probed, "\x0f\x1f\x44\x00", 4), 0); }

UNTRACED int main(int count, char **arguments) {
  for (int hits = 0; hits < 3; hits++) { // none: the kernel's int3 stands on our call
    EXPECT_EQ(register_ftrace_function(&counted.ops), 0);
    call_both(4, 8);
    int probe = open_probe(arguments[count - 1], probed);
    call_both(hits, hits);
    EXPECT_EQ((long)hits_of(probe), hits);
    EXPECT_EQ(unregister_ftrace_function(&counted.ops), 0);
    EXPECT_EQ(register_ftrace_function(&counted.ops), 0); // still there
    call_both(hits, hits);
    close(probe);
    expect_nop();
    call_both(1, 1);
    EXPECT_EQ(unregister_ftrace_function(&counted.ops), 0);
    expect_nop();
  }
  // Linux 6.18: the probe goes while we want the function, and the file's NOP comes back.
  EXPECT_EQ(register_ftrace_function(&counted.ops), 0);
  unsigned char call[5];
  memcpy(call, (void *)probed, sizeof call);
  int probe = open_probe(arguments[count - 1], probed);
  call_both(3, 3);
  if (*(unsigned char *)probed != 0xcc && memcmp((void *)probed, call, sizeof call) != 0) {
    close(probe), probe = -1;
    expect_nop();
    char text[4096];
    EXPECT(tracefs_read("enabled_functions", text, sizeof text) > 0); // where it is looked for
    call_both(2, 4);
  }
  EXPECT_EQ(unregister_ftrace_function(&counted.ops), 0);
  if (probe >= 0)
    close(probe);
  expect_nop();
  return failures;
}
