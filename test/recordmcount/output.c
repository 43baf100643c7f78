// -o writes another file, also when there is nothing to record, and leaves the first one alone.
// REQUIRES: gcc
// RUN: rm -f %t.2 %t.3 && %gcc -pg -mfentry -c %s -o %t.o && cp %t.o %t.before && %recordmcount %t.o -o %t.2
// RUN: cmp %t.o %t.before && %recordmcount %t.2 -o %t.3 && cmp %t.2 %t.3
// RUN: %exits 2 %recordmcount %t.o %t.2 -o %t.3 2>&1 | FileCheck %s
// CHECK: recordmcount: -o takes one FILE
int f(int a) { return a + 1; }
