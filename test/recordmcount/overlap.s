# Two entries whose sites share bytes are refused.
# RUN: %mc %s -o %t.o && %exits 1 %recordmcount %t.o 2>&1 | FileCheck %s
# CHECK: .text+0x1: overlaps with the site in front of it
f:
  nop
.Linside:
.rept 5
  nop
.endr
  ret
.section __patchable_function_entries, "aw", @progbits
.quad f, .Linside
