// --no-descriptors leaves debug info alone; without debug info there is nothing to describe either.
// REQUIRES: gcc
// RUN: %gcc -g -pg -mfentry -c %s -o %t.o && %recordmcount --no-descriptors %t.o && %readelf -S %t.o | FileCheck %s --implicit-check-not=__ftrace_args
// RUN: %gcc -pg -mfentry -c %s -o %t.o && %recordmcount %t.o && %readelf -S %t.o | FileCheck %s --implicit-check-not=__ftrace_args
// CHECK: __mcount_loc
int f(int a) { return a + 1; }
