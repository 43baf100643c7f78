// A function that --gc-sections drops leaves neither entry nor descriptor, with either linker.
// REQUIRES: lld, gnu-ld
// RUN: %clang -O1 %instrument -ffunction-sections -c %s -o %t.o
// RUN: %clang %t.o %tables -fuse-ld=lld -o %t.all
// RUN: %python %S/note.py %t.all | FileCheck %s --check-prefix=ALL
// RUN: %clang %t.o %tables -fuse-ld=lld -Wl,--gc-sections -o %t.lld
// RUN: %python %S/note.py %t.lld | FileCheck %s
// RUN: %clang %t.o %tables -fuse-ld=bfd -Wl,--gc-sections -o %t.bfd
// RUN: %python %S/note.py %t.bfd | FileCheck %s

// ALL: 3 sites, 3 descriptors
// CHECK: 2 sites, 2 descriptors
// CHECK-NEXT: main: through 0
// CHECK-NEXT: used: through 0
// CHECK-NOT: dropped
__attribute__((noinline)) long used(long x) { return x * 3; }
long dropped(long x) { return x * 5; }
int main(void) { return used(0) != 0; }
