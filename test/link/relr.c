// With packed relative relocations (-z pack-relative-relocs) the table is as complete.
// REQUIRES: lld, gnu-ld
// RUN: %clang -O1 %instrument %s %tables -fuse-ld=lld -Wl,-z,pack-relative-relocs -o %t.lld
// RUN: %python %S/note.py %t.lld | FileCheck %s
// RUN: %clang -O1 %instrument %s %tables -fuse-ld=bfd -Wl,-z,pack-relative-relocs -o %t.bfd
// RUN: %python %S/note.py %t.bfd | FileCheck %s
// RUN: %readelf -d %t.lld %t.bfd | FileCheck %s --check-prefix=RELR

// RELR-COUNT-2: RELRSZ
// CHECK: 2 sites, 2 descriptors
// CHECK-NEXT: main: through 0
// CHECK-NEXT: used: through 0
__attribute__((noinline)) long used(long x) { return x * 3; }
int main(void) { return used(0) != 0; }
