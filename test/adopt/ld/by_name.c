// gold and mold link without a script by nophook ld: what recordmcount describes can be traced, and gcc's own tables are named with the remedy.
// REQUIRES: gold, mold
// RUN: rm -rf %t && mkdir %t && cd %t && gcc -O1 -pg -mfentry -c %s -o main.o && gcc -O1 -fpatchable-function-entry=5 -c %s -o own.o
// RUN: gcc -B%folder -fuse-ld=gold main.o -o gold 2>&1 | count 0 && ./gold && %nophook list --summary gold | FileCheck %s
// RUN: gcc -B%folder -fuse-ld=mold main.o -o mold 2>&1 | count 0 && ./mold && %nophook list --summary mold | FileCheck %s
// RUN: gcc -B%folder -fuse-ld=gold own.o -o gold 2>&1 | FileCheck %s --check-prefix=OWN && ./gold
// RUN: gcc -B%folder -fuse-ld=mold own.o -o mold 2>&1 | FileCheck %s --check-prefix=OWN && ./mold
// RUN: %exits 1 %nophook list mold 2>&1 | FileCheck %s --check-prefix=OWN && gcc -fuse-ld=mold own.o -o mold && %exits 1 %nophook list mold 2>&1 | FileCheck %s --check-prefix=OWN
// CHECK: 1 function:
// OWN: {{gold|mold}} reads no linker script of ours, and these tables need one: link with GNU ld or lld
int main(void) { return 0; }
