// GNU ld and lld link gcc's objects by the script; gold and mold by the names of sections.
// REQUIRES: gnu-ld, lld, gold, mold
// RUN: %cc -fuse-ld=bfd %s -o %t && %t && %nophook list --summary %t | FileCheck %s
// RUN: %cc -fuse-ld=lld -Wl,--fatal-warnings %s -o %t && %t && %nophook list --summary %t | FileCheck %s
// RUN: %cc -shared -fPIC %s -o %t.so && %nophook list --summary %t.so | FileCheck %s
// RUN: %cc -static-pie %s -o %t && %t && %nophook list --summary %t | FileCheck %s
// RUN: %cc -r %s -o %t.o && %cc %t.o -o %t && %t && %nophook list --summary %t | FileCheck %s
// RUN: %cc -fuse-ld=gold %s -o %t 2>&1 | count 0 && %t && %nophook list --summary %t | FileCheck %s
// RUN: %cc -fuse-ld=mold %s -o %t 2>&1 | count 0 && %t && %nophook list --summary %t | FileCheck %s
// CHECK: 1 function: 1 call-through
int main(void) { return 0; }
