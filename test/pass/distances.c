// LLVM 22: the table has a distance to each function, in its COMDAT group and link-ordered to it; code models with wide addresses keep the table of addresses.
// REQUIRES: llvm22
// RUN: %clang %instrument -O1 -S %s -o - | FileCheck %s
// RUN: %clang %instrument -O1 %option-descriptors=off -S %s -o - | FileCheck %s
// RUN: %clang %instrument -O1 -mcmodel=medium -S %s -o - | FileCheck %s --check-prefix=WIDE --implicit-check-not=__mcount_rel
// RUN: %clang %instrument -O0 -fcf-protection=full -x c++ -DINLINE=inline -c %s -o %t.o && %readelf -S %t.o | FileCheck %s --check-prefix=GROUP
// CHECK:      .section __mcount_rel,"awo",@progbits,.text
// CHECK-NEXT: .Lpcsection_base[[#N:]]:
// CHECK-NEXT: .long .Lfunc_begin0-.Lpcsection_base[[#N]]
// CHECK-NEXT: .long .Lfunc_end0-.Lfunc_begin0
// CHECK:      .section .nophook.addresses,"awo",@progbits,work
// WIDE:       .section __mcount_loc,"awo",@progbits,work
// GROUP:      __mcount_rel PROGBITS {{.*}} 000008 00 WALG
#ifndef INLINE
#define INLINE
#endif
INLINE int work(int x) { return x * 3; }
int use(int x) { return work(x); }
