# As rustc's -Z patchable-function-entry=5 leaves a function: NOPs, and a table linked to its code.
.section .text.by_hand, "ax", @progbits
.globl by_hand
.type by_hand, @function
by_hand:
.Lentry:
.rept 5
  nop
.endr
  lea 1(%rdi), %eax
  ret
.size by_hand, .-by_hand
.section __patchable_function_entries, "awo", @progbits, .text.by_hand
.balign 8
.quad .Lentry
.section .note.GNU-stack, "", @progbits
