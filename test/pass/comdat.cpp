// Entry and descriptor of an inline function are in its COMDAT group and link-ordered to it.
// RUN: %clangxx %instrument -O0 -c %s -o %t.o
// RUN: %readelf -SW --section-groups %t.o | FileCheck %s -DTABLE=%table
// RUN: %clangxx %instrument -O2 -fno-inline -c %s -o %t.o
// RUN: %readelf -SW --section-groups %t.o | FileCheck %s -DTABLE=%table

// A, L and G: allocated, link-ordered, in a group.
// CHECK-DAG: __ftrace_args PROGBITS {{.*}} 000010 00 WALG
// CHECK-DAG: [[TABLE]] PROGBITS {{.*}} 000008 00 WALG
// CHECK:     COMDAT group section {{.*}} [_Z3inli]
// CHECK-DAG: .text._Z3inli
// CHECK-DAG: __ftrace_args
// CHECK-DAG: [[TABLE]]
inline int inl(int x) { return x * 3; }
int use(int x) { return inl(x); }
