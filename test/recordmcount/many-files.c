// Files are done side by side, and one that fails does not hold back the others.
// REQUIRES: gcc
// RUN: rm -rf %t && mkdir %t && %gcc -pg -mfentry -c %s -o %t/1.o && cp %t/1.o %t/2.o && cp %t/1.o %t/3.o && cp %t/1.o %t/8.o && echo text > %t/7.o
// RUN: %exits 1 %recordmcount -j 4 %t/1.o %t/2.o %t/3.o %t/7.o %t/8.o 2>&1 | FileCheck %s
// CHECK: 7.o: is no ELF object
// CHECK: 4 sites in 4 objects, 4 new; 4 of 5 files changed, 1 failed
int f(int a) { return a + 1; }
