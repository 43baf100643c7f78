# AArch64: a call, and two NOPs behind a landing pad, with its marks between code and data.
.globl f, g
.type f, @function
f:
  mov x0, x30
  bl _mcount
  ret
.word 0
.type g, @function
g:
  bti c
.Lg:
  nop
  nop
  ret
.section __patchable_function_entries, "awo", @progbits, .text
.quad .Lg
