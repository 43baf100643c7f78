// An object that has been recorded is left alone the second time.
// REQUIRES: gcc
// RUN: %gcc -pg -mfentry -c %s -o %t.o && %recordmcount %t.o && cp %t.o %t.once
// RUN: %recordmcount %t.o | FileCheck %s && cmp %t.o %t.once
// RUN: %gcc -pg -mfentry -c %s -o %t.o && %recordmcount --keep-calls %t.o && cp %t.o %t.once
// RUN: %recordmcount --keep-calls %t.o | FileCheck %s && cmp %t.o %t.once
// RUN: %recordmcount %t.o | FileCheck %s --check-prefix=CALLS
// CHECK: 1 sites in 1 objects, 0 new; 0 of 1 files changed
// CALLS: 1 sites in 1 objects, 0 new; 1 of 1 files changed
int f(int a) { return a + 1; }
