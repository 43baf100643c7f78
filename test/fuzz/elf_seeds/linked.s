# A table that is descending, its note, and how it is linked: bytes in place, RELA, RELR.
# link: ld.lld -n -e f
# link: ld.lld -e f -n -pie --no-dynamic-linker
# link: ld.lld -e f -n -pie --no-dynamic-linker -z pack-relative-relocs
.text
.globl f
f:
  nopl 0(%rax,%rax)
  ret
.Lg:
  nopl 0(%rax,%rax)
  ret
.section __mcount_loc, "aw", @progbits
.balign 8
.quad .Lg, f, f
.hidden __start___mcount_loc, __stop___mcount_loc
.section .note.nophook, "a", @note
.balign 4
.long 8, 32, 1
.asciz "Nophook"
.quad __start___mcount_loc - .
.quad __stop___mcount_loc - .
.quad 0, 0
