// A thin archive with a member that is refused: none of its files is changed, not even those in front of it, nor does -o write one.
// REQUIRES: gcc
// RUN: rm -f %t.a %t.b && %gcc -pg -mfentry -DF=one -c %s -o %t.1.o && %patch %t.1.o %t.2.o .text.sh_offset=0x1000000
// RUN: %ar rcST %t.a %t.1.o %t.2.o && cp %t.1.o %t.before && %exits 1 %recordmcount %t.a 2>&1 | FileCheck %s && cmp %t.1.o %t.before
// RUN: %exits 1 %recordmcount %t.a -o %t.b 2>&1 | FileCheck %s && not test -e %t.b && cmp %t.1.o %t.before
// CHECK: recordmcount: {{.*}}.a: ({{.*}}.2.o): {{.*}}offset
int F(int a) { return a + 1; }
