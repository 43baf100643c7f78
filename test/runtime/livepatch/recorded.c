// A program that patches itself while `nophook record` records it: each call is in the recording under the name
// of the version that ran, before, during and after the patch, and none is lost.
// RUN: %traced_cc -O1 %s -o %t %linked && rm -rf %t.data
// RUN: %nophook record -p function_graph -o %t.data -- %t
// RUN: %nophook report %t.data > %t.txt
// RUN: grep -c ' version();$' %t.txt | FileCheck %s --check-prefix=OLD
// RUN: grep -c ' new_version();$' %t.txt | FileCheck %s --check-prefix=NEW
// OLD: {{^}}200{{$}}
// NEW: {{^}}300{{$}}
#include "klp.h"
NOINLINE int version(void) { int n = 1; KEEP(&n); return n; }
NOINLINE int new_version(void) { int n = 2; KEEP(&n); return n; }
PATCH(patch, FUNC(version, new_version));
UNTRACED static void call(int times, int result) {
  for (int i = 0; i < times; i++)
    EXPECT_EQ(version(), result);
}
UNTRACED int main(void) {
  call(100, 1);
  EXPECT_EQ(klp_enable_patch(&patch), 0);
  call(100, 2); // this thread decides at the first call
  wait_for_patch(&patch);
  call(200, 2);
  disable_and_wait(&patch);
  call(100, 1);
  return failures;
}
