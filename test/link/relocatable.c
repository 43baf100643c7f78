// A relocatable link (ld -r) keeps the tables for the final one.
// REQUIRES: lld, gnu-ld
// RUN: %clang -O1 %instrument -ffunction-sections -c %s -o %t.o
// RUN: ld.lld -r %t.o %module -o %t.lld.o
// RUN: %clang %t.lld.o -Wl,-T,%lds -fuse-ld=lld -o %t
// RUN: %python %S/note.py %t | FileCheck %s
// RUN: ld.bfd -r %t.o %module -o %t.bfd.o
// RUN: %clang %t.bfd.o -Wl,-T,%lds -fuse-ld=bfd -o %t
// RUN: %python %S/note.py %t | FileCheck %s

// CHECK: 2 sites, 2 descriptors
// CHECK-NEXT: main: through 0
// CHECK-NEXT: used: through 0
__attribute__((noinline)) long used(long x) { return x * 3; }
int main(void) { return used(0) != 0; }
