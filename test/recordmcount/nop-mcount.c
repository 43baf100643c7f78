// NOPs that gcc wrote itself (-mnop-mcount) are recorded where linkers can relocate the table.
// REQUIRES: gcc
// RUN: %gcc -pg -mfentry -mrecord-mcount -mnop-mcount -fno-pic -c %s -o %t.o && %recordmcount --list --verify %t.o | FileCheck %s
// RUN: %readelf -S %t.o | FileCheck %s --check-prefix=TABLE
// CHECK: .text+0x0 f
// CHECK: 1 sites in 1 objects, 1 new; 1 of 1 files changed, 1 tables of the compiler repaired
// TABLE: __mcount_loc PROGBITS {{[0-9a-f]+}} {{[0-9a-f]+}} 000000 00 A
// TABLE: __mcount_loc PROGBITS {{[0-9a-f]+}} {{[0-9a-f]+}} 000008 00 WAL
int f(int a) { return a + 1; }
