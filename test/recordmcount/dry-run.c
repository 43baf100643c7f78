// --dry-run reports the changes that would be made, and changes nothing.
// REQUIRES: gcc
// RUN: %gcc -pg -mfentry -c %s -o %t.o && cp %t.o %t.before && %recordmcount --dry-run %t.o | FileCheck %s
// RUN: cmp %t.o %t.before
// CHECK: 1 sites in 1 objects, 1 new; 1 of 1 files would change
int f(int a) { return a + 1; }
