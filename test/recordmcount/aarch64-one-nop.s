# AArch64: one NOP at the entry is a site, since it becomes a jump; another instruction is refused.
# RUN: %mc64 %s -o %t.o && %recordmcount --verify --list %t.o | FileCheck %s
# RUN: %mc64 --defsym REFUSED=1 %s -o %t.o && %exits 1 %recordmcount %t.o 2>&1 | FileCheck %s --check-prefix=REFUSED
# CHECK: .text+0x4 f
# REFUSED: .text+0x4: no NOP there: -fpatchable-function-entry=1
.type f, @function
f:
  bti c
.ifndef REFUSED
  nop
.endif
  ret
.section __patchable_function_entries, "aw", @progbits
.quad f + 4
