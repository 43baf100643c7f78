// In a position-dependent executable the note leads to every function, and it runs.
// REQUIRES: lld, gnu-ld
// RUN: %clang -O1 %instrument -fno-pie -no-pie %s %tables -fuse-ld=lld -o %t.lld
// RUN: %python %S/note.py %t.lld | FileCheck %s
// RUN: %clang -O1 %instrument -fno-pie -no-pie %s %tables -fuse-ld=lld -Wl,--gc-sections -o %t.lld-gc
// RUN: %python %S/note.py %t.lld-gc | FileCheck %s
// RUN: %clang -O1 %instrument -fno-pie -no-pie %s %tables -fuse-ld=bfd -o %t.bfd
// RUN: %python %S/note.py %t.bfd | FileCheck %s
// RUN: %clang -O1 %instrument -fno-pie -no-pie %s %tables -fuse-ld=bfd -Wl,--gc-sections -o %t.bfd-gc
// RUN: %python %S/note.py %t.bfd-gc | FileCheck %s
// RUN: %t.lld && %t.lld-gc && %t.bfd && %t.bfd-gc
// CHECK: 3 sites, 3 descriptors
// CHECK-NEXT: local: through 0
// CHECK-NEXT: main: through 0
// CHECK-NEXT: used: copy 16
static __attribute__((noinline)) long local(long x) { return x * 5; }
long used(long a, long b, long c, long d, long e, long f, long g, long h) { return local(g) + h; }
int main(void) { return used(0, 0, 0, 0, 0, 0, 1, -5) != 0; }
