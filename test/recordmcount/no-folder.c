// Where no file can be written, the error says so and the object stays as it was.
// REQUIRES: gcc
// RUN: %gcc -pg -mfentry -c %s -o %t.o && %exits 1 %recordmcount %t.o -o %t.missing/f.o 2>&1 | FileCheck %s
// CHECK: recordmcount: {{.*}}.missing/f.o: no file can be written beside it: No such file or directory
int f(int a) { return a + 1; }
