// A recording says which function another tool's uprobe has taken while it was traced: when the program exits, whether the probe has gone by then or not.
// REQUIRES: uprobe
// RUN: %traced_cc -O1 %s -o %t && %nophook record -o %t.data -- %t %t 2>&1 | FileCheck %s
// RUN: %nophook record -o %t.data -- %t %t goes 2>&1 | FileCheck %s --check-prefix=GONE
// CHECK: 1 functions hold foreign code at their entry {{.*}}(a breakpoint or uprobe; probed)
// GONE: 1 functions {{had|hold}} foreign code at their entry{{.*}}(a breakpoint or uprobe; probed)
#include "program.h"
#include "text.h"
#include "uprobe.h"

NOINLINE void probed(void) { KEEP(0); }
NOINLINE void other(void) { KEEP(0); }
UNTRACED int main(int count, char **arguments) {
  for (int i = 0; i < 5; i++)
    probed(), other();
  int probe = open_probe(arguments[1], probed);
  for (int i = 0; i < 5; i++)
    probed(), other();
  EXPECT_EQ(hits_of(probe), 5);
  if (count > 2 && *(unsigned char *)probed != 0xcc) // else its going leaves half of a call (docs/limits.md)
    close(probe);
  return failures;
}
