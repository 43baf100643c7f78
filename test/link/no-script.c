// Linked without the script or without any instrumented function, there is no table and it runs.
// REQUIRES: lld, gnu-ld
// RUN: %clang -O1 %instrument %s %module -fuse-ld=lld -o %t.lld && %t.lld
// RUN: %python %S/note.py %t.lld | FileCheck %s
// RUN: %clang -O1 %instrument %s %module -fuse-ld=bfd -o %t.bfd && %t.bfd
// RUN: %python %S/note.py %t.bfd | FileCheck %s
// RUN: %clang -O1 %s %tables -fuse-ld=lld -o %t.lld && %t.lld
// RUN: %python %S/note.py %t.lld | FileCheck %s
// RUN: %clang -O1 %s %tables -fuse-ld=bfd -o %t.bfd && %t.bfd
// RUN: %python %S/note.py %t.bfd | FileCheck %s
// RUN: %clang -O1 %s -o %t.plain
// RUN: %python %S/note.py %t.plain | FileCheck %s --check-prefix=PLAIN

// CHECK: 0 sites, 0 descriptors
// PLAIN: no note
int main(void) { return 0; }
