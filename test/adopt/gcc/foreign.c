// For targets that cannot be traced it is gcc alone; the large code model has patchable entries.
// RUN: %cc -m32 -ffreestanding -c %s -o %t.32.o && %readelf -S %t.32.o | FileCheck %s --implicit-check-not=%table
// RUN: %cc -mcmodel=large -fno-pie -c %s -o %t.o && %cc -no-pie %t.o -o %t && %t && %nophook list --summary %t | FileCheck %s --check-prefix=LIST
// CHECK: .text
// LIST: 1 function: 1 call-through
int main(void) { return 0; }
