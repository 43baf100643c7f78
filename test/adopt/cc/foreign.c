// For targets that cannot be traced it is the compiler alone.
// RUN: %cc -m32 -c %s -o %t.32.o && %cc --target=armv7-linux-gnueabihf -c %s -o %t.arm.o
// RUN: %cc --target=x86_64-linux-gnux32 -c %s -o %t.x32.o && %cc --target=x86_64-windows-gnu -c %s -o %t.coff.o
// RUN: %readelf -S %t.32.o %t.arm.o %t.x32.o | FileCheck %s --implicit-check-not=%table
// RUN: %cc --target=aarch64-linux-gnu -c %s -o %t.aarch64.o
// RUN: %readelf -S %t.aarch64.o | FileCheck %s --check-prefix=AARCH64 -DTABLE=%table
// CHECK-COUNT-3: .text
// AARCH64: [[TABLE]]
int work(void) { return 3; }
