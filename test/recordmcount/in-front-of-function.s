# A recorded call that stands directly in front of a function is not taken for that function's.
# RUN: %mc %s -o %t.o && %recordmcount --verify --list %t.o | FileCheck %s
# RUN: %recordmcount --list %t.o | FileCheck %s
# CHECK: .text+0x0 ?
  call mcount
.globl f
.type f, @function
f: ret
