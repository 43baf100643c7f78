# AArch64: a call at the very entry, where it loses the return address, is refused.
# RUN: %mc64 %s -o %t.o && %exits 1 %recordmcount %t.o 2>&1 | FileCheck %s
# CHECK: .text+0x4: _mcount: is called at the entry, where the return address is lost
.type f, @function
f:
  bti c
  bl _mcount
  ret
