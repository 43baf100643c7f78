// A damaged member is named, and the archive stays as it was.
// REQUIRES: gcc
// RUN: rm -f %t.a && %gcc -pg -mfentry -DF=one -c %s -o %t.1.o && %patch %t.1.o %t.2.o .text.sh_offset=0x1000000
// RUN: %ar rcS %t.a %t.1.o %t.2.o && cp %t.a %t.before && %exits 1 %recordmcount %t.a 2>&1 | FileCheck %s
// RUN: cmp %t.a %t.before
// CHECK: recordmcount: {{.*}}.a: (archive-damaged.c.tmp.2.o): {{.*}}offset
int F(int a) { return a + 1; }
