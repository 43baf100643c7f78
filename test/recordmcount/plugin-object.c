// An object of the plugin is complete already.
// RUN: %clang -O1 %instrument -c %s -o %t.o && cp %t.o %t.before && %recordmcount %t.o | FileCheck %s && cmp %t.o %t.before
// CHECK: 1 sites in 1 objects, 0 new; 0 of 1 files changed
int f(int a) { return a + 1; }
