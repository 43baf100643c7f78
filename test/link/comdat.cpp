// An inline function in two translation units has one entry and one descriptor.
// REQUIRES: lld, gnu-ld
// RUN: %clangxx -O0 %instrument -c %s -o %t.1.o
// RUN: %clangxx -O0 %instrument -DMAIN -c %s -o %t.2.o
// RUN: %clangxx %t.1.o %t.2.o %tables -fuse-ld=lld -o %t
// RUN: %python %S/note.py %t | FileCheck %s
// RUN: %clangxx %t.1.o %t.2.o %tables -fuse-ld=bfd -o %t
// RUN: %python %S/note.py %t | FileCheck %s
// RUN: %clangxx %t.1.o %t.2.o %tables -fuse-ld=bfd -Wl,--gc-sections -o %t
// RUN: %python %S/note.py %t | FileCheck %s

// CHECK: 4 sites, 4 descriptors
// CHECK: _Z3inli: through 0
// CHECK-NEXT: _Z5otheri: through 0
// CHECK-NEXT: _Z7doubledIiET_S0_: through 0
// CHECK-NEXT: main: through 0
inline int inl(int x) { return x * 3; }
template <class T> T doubled(T x) { return x + x; }
int other(int x);
#ifdef MAIN
int main() { return inl(0) + doubled(0) + other(0); }
#else
int other(int x) { return inl(x) + doubled(x); }
#endif
