// A core file of a program with a live patch: a function that is not patched begins with its NOP of five bytes, and a patched
// one with a jmp to a stub, which jumps to the new function by a word. So a debugger sees which functions are patched, and by what.
// REQUIRES: core-files, gdb
// RUN: %traced_cc -D_GNU_SOURCE -I%S/../../support -I%include %s -o %t %linked && rm -rf %t.dir && mkdir %t.dir
// RUN: cd %t.dir && sh -c 'ulimit -c unlimited; %t; test $? = 134' && sh -c 'mv core* patched'
// RUN: gdb -nx -batch -x %S/Inputs/core_patched.py %t %t.dir/patched | FileCheck %s --match-full-lines
// CHECK: other: 0f 1f 44 00 0{{[08]}}
// CHECK-NEXT: version: e9 {{.. .. .. ..}}
// CHECK-NEXT: its stub: jmp *word
// CHECK-NEXT: the word: new_version
#include "klp.h"

NOINLINE int version(void) { int n = 1; KEEP(&n); return n; }
NOINLINE int other(void) { int n = 3; KEEP(&n); return n; }
NOINLINE int new_version(void) { int n = 2; KEEP(&n); return n; }
PATCH(patch, FUNC(version, new_version));

UNTRACED int main(void) {
  EXPECT_EQ(klp_enable_patch(&patch), 0);
  wait_for_patch(&patch);
  EXPECT_EQ(version() + other(), 5);
  if (failures)
    return failures;
  abort();
}
