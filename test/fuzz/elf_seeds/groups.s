# Calls to mcount in three sections, two of them in groups, without local symbols; entries of gcc's.
.text
.globl f
.type f, @function
f: call __fentry__@PLT
  jmp g
.size f, .-f
.section .text.g, "axG", @progbits, g, comdat
.weak g
.type g, @function
g: call *__fentry__@GOTPCREL(%rip)
  ret
.section .text.h, "axG", @progbits, h, comdat
.weak h
.type h, @function
h: endbr64
.rept 5
  nop
.endr
  jmp f
.section __patchable_function_entries, "aw", @progbits
.quad h
.data
.quad g, h+3
.addrsig
.addrsig_sym h
