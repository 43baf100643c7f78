// Under CET the sites behind endbr64 are found, and the file stays marked as protected.
// REQUIRES: lld, gnu-ld
// RUN: %clang -O1 %instrument -fcf-protection=full -c %s -o %t.o
// RUN: %clang -shared %t.o %tables -fuse-ld=lld -nostdlib -o %t.lld
// RUN: %python %S/note.py %t.lld | FileCheck %s
// RUN: %readelf -n %t.lld | FileCheck %s --check-prefix=PROPERTY
// RUN: %clang -shared %t.o %tables -fuse-ld=bfd -nostdlib -o %t.bfd
// RUN: %python %S/note.py %t.bfd | FileCheck %s
// RUN: %readelf -n %t.bfd | FileCheck %s --check-prefix=PROPERTY

// PROPERTY: x86 feature: IBT, SHSTK
// CHECK: 2 sites, 2 descriptors
// CHECK-NEXT: local: through 0
// CHECK-NEXT: used: through 0
static __attribute__((noinline)) long local(long x) { return x * 5; }
long used(long x) { return local(x) * 3; }
