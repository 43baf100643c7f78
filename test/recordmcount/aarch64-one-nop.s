# AArch64: one NOP at the entry is too few, since a call has to keep the link register.
# RUN: %mc64 %s -o %t.o && %exits 1 %recordmcount %t.o 2>&1 | FileCheck %s
# CHECK: .text+0x0: only one NOP, a site needs two: -fpatchable-function-entry=2
.type f, @function
f:
  nop
  ret
.section __patchable_function_entries, "aw", @progbits
.quad f
