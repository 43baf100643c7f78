// For AArch64 nophook cc compiles and links as for this machine, with that target's module object, and the program runs.
// REQUIRES: aarch64-cross, qemu-aarch64, lld
// RUN: %cc --target=aarch64-linux-gnu -O1 -c %s -o %t.o && %cc --target=aarch64-linux-gnu %t.o -o %t && %aarch64-run %t
// RUN: %nophook list %t | FileCheck %s --match-full-lines
// RUN: %cc -target aarch64-linux-gnu -fuse-ld=lld -O1 -DVALUE=7 %s -o %t.lld && %aarch64-run %t.lld
// RUN: %nophook list %t.lld | FileCheck %s --match-full-lines
// RUN: %readelf -hdn %t.lld | FileCheck %s --check-prefix=FILE
// RUN: %cc --target=aarch64-linux-gnu -O1 -static %s -o %t.static && %aarch64-run %t.static && %nophook list %t.static | FileCheck %s --match-full-lines
// FILE: Machine: AArch64
// FILE: (RELRSZ)
// FILE: Nophook
// CHECK-DAG: {{[0-9a-f]+}} call-through work
// CHECK-DAG: {{[0-9a-f]+}} call-through, copies 8 bytes nine
// CHECK-DAG: {{[0-9a-f]+}} entry only: variadic many
// CHECK-DAG: {{[0-9a-f]+}} call-through main
#include <stdio.h>
__attribute__((noinline)) int work(int x) { __asm__ volatile("" : "+r"(x)); return x * 3; }
__attribute__((noinline)) int many(int count, ...) { return count; }
__attribute__((noinline)) long nine(long a, long b, long c, long d, long e, long f, long g, long h, long i) {
  __asm__ volatile("" : "+r"(i), "+r"(a), "+r"(b), "+r"(c), "+r"(d), "+r"(e), "+r"(f), "+r"(g), "+r"(h));
  return a + b + c + d + e + f + g + h + i;
}
int main(void) { return work(0) + many(0, 1) + nine(1, 2, 3, 4, 5, 6, 7, 8, -36) + (puts("") < 0); }
