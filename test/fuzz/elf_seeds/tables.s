# Tables that have been written already: one that stays, one that must be repaired.
.text
.Lone:
  nopl 8(%rax,%rax)
  ret
.Ltwo:
  .byte 0x67, 0x0f, 0x1f, 0x44, 0, 0
  ret
.section __mcount_loc, "awo", @progbits, .text
.balign 8
.quad .Lone
.section __mcount_loc, "a", @progbits, unique, 2
.balign 8
.quad .Ltwo
