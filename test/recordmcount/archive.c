// Members of an archive are recorded; names, order, dates and the symbol table stay.
// REQUIRES: gcc
// RUN: rm -f %t.a && %gcc -pg -mfentry -DF=one -c %s -o %t.1.o && %gcc -pg -mfentry -DF=two -c %s -o %t.2.o && echo text > %t.note
// RUN: touch -d 2001-02-03 %t.1.o && %ar rcU %t.a %t.1.o %t.note %t.2.o && %ar tv %t.a > %t.before
// RUN: %recordmcount --list %t.a | FileCheck %s
// RUN: %ar tv %t.a > %t.after && cut -c1-13,21- %t.before > %t.1 && cut -c1-13,21- %t.after > %t.2 && diff %t.1 %t.2
// RUN: llvm-nm --print-armap %t.a | FileCheck %s --check-prefix=MAP
// RUN: %recordmcount %t.a | FileCheck %s --check-prefix=AGAIN
// CHECK: (archive.c.tmp.1.o) .text+0x1 one
// CHECK: (archive.c.tmp.2.o) .text+0x1 two
// CHECK: 2 sites in 2 objects, 2 new; 1 of 1 files changed
// MAP: one in archive.c.tmp.1.o
// MAP: two in archive.c.tmp.2.o
// AGAIN: 2 sites in 2 objects, 0 new; 0 of 1 files changed
int F(int a) { return a + 1; }
