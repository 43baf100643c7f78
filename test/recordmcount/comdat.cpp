// The table of a function in a COMDAT group is a member of the group, linked to its code.
// REQUIRES: gcc
// RUN: %gxx -pg -mfentry -c %s -o %t.o && %recordmcount %t.o
// RUN: %readelf -g %t.o | FileCheck %s
// RUN: %readelf -S %t.o | FileCheck %s --check-prefix=SECTION
// CHECK: COMDAT group section {{.*}} [_Z5twiceIiET_S0_]
// CHECK: .text._Z5twiceIiET_S0_
// CHECK: __mcount_loc
// CHECK-NEXT: .rela__mcount_loc
// SECTION: [ [[CODE:[0-9]+]]] .text._Z5twiceIiET_S0_
// SECTION: __mcount_loc PROGBITS {{[0-9a-f]+}} {{[0-9a-f]+}} 000008 00 WALG [[CODE]] 0 8
template <class T> T twice(T t) { return t + t; }
template int twice(int);
