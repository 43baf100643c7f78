# AArch64: `bl _mcount` and two NOPs at the entry are sites, before and behind a landing pad.
# RUN: %mc64 %s -o %t.o && %recordmcount --verify --list %t.o | FileCheck %s
# RUN: %objdump -d --no-show-raw-insn --no-addresses %t.o | FileCheck %s --check-prefix=CODE --implicit-check-not=_mcount
# RUN: %readelf -r %t.o | FileCheck %s --check-prefix=RELOC
# CHECK: .text+0x8 called
# CHECK: .text+0x14 patchable
# CODE: <called>:
# CODE-NEXT: stp
# CODE-NEXT: mov x0, x30
# CODE-NEXT: nop
# RELOC: R_AARCH64_NONE
# RELOC: R_AARCH64_ABS64 {{.*}} .text + 8
# RELOC: R_AARCH64_ABS64 {{.*}} .text + 14
.globl called, patchable
.type called, @function
called:
  stp x29, x30, [sp, #-16]!
  mov x0, x30
  bl _mcount
  ret
.type patchable, @function
patchable:
  bti c
.Lentry:
  nop
  nop
  ret
.section __patchable_function_entries, "aw", @progbits
.quad .Lentry
