// With -mnop-mcount alone nothing says where the NOPs are: no site is made up, and the missing option is named; other objects without sites are not suspected.
// REQUIRES: gcc
// RUN: %gcc -pg -mfentry -mnop-mcount -fno-pic -c %s -o %t.o && cp %t.o %t.before && %recordmcount %t.o | FileCheck %s && cmp %t.o %t.before
// RUN: %gcc -pg -mnop-mcount -fno-pic -fcf-protection -c %s -o %t.o && %recordmcount %t.o | FileCheck %s
// RUN: %gcc -c %s -o %t.o && %recordmcount %t.o | FileCheck %s --check-prefix=PLAIN --implicit-check-not=NOP
// CHECK: 0 sites in 1 objects, 0 new; 0 of 1 files changed
// CHECK-NEXT: recordmcount: 2 functions have a NOP that no table names: compile them with -mrecord-mcount as well as -mnop-mcount
// PLAIN: 0 sites in 1 objects
int f(int a) { return a + 1; }
int g(int a) { return f(a) * 3; }
