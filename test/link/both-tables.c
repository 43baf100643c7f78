// Objects of the medium code model have addresses, as those of gcc and of older plugins have: in one file with distances, all sites are found, each once.
// REQUIRES: lld, gnu-ld
// RUN: %clang -O1 %instrument -DOTHER -mcmodel=medium -c %s -o %t.other.o
// RUN: %clang -O1 %instrument %s %t.other.o %tables -fuse-ld=lld -o %t.lld && %python %S/note.py %t.lld | FileCheck %s
// RUN: %clang -O1 %instrument %s %t.other.o %tables -fuse-ld=bfd -o %t.bfd && %python %S/note.py %t.bfd | FileCheck %s
// CHECK: 3 sites, 2 descriptors
// CHECK-NEXT: main: through 0
// CHECK-NEXT: other: no descriptor
// CHECK-NEXT: used: through 0
#ifdef OTHER
long other(long x) { return x * 5; }
#else
long other(long x);
__attribute__((noinline)) long used(long x) { return x * 3; }
int main(void) { return used(other(0)) != 0; }
#endif
