// GNU ld and lld link gcc's objects; gold gets no script and a warning.
// REQUIRES: gnu-ld, lld, gold
// RUN: %cc -fuse-ld=bfd %s -o %t && %t && %nophook list --summary %t | FileCheck %s
// RUN: %cc -fuse-ld=lld -Wl,--fatal-warnings %s -o %t && %t && %nophook list --summary %t | FileCheck %s
// RUN: %cc -shared -fPIC %s -o %t.so && %nophook list --summary %t.so | FileCheck %s
// RUN: %cc -static-pie %s -o %t && %t && %nophook list --summary %t | FileCheck %s
// RUN: %cc -r %s -o %t.o && %cc %t.o -o %t && %t && %nophook list --summary %t | FileCheck %s
// RUN: %cc -fuse-ld=gold %s -o %t 2>&1 | FileCheck %s --check-prefix=GOLD && %t
// CHECK: 1 function: 1 call-through
// GOLD: nophook: warning: gold reads no linker scripts of this kind
int main(void) { return 0; }
