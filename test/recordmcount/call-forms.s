# Each form of a call to mcount becomes one NOP, and its last five bytes are the site.
# RUN: %mc %s -o %t.o && %recordmcount %t.o --verify --list | FileCheck %s --check-prefix=LIST
# RUN: %objdump -d --no-show-raw-insn --no-addresses %t.o | FileCheck %s --implicit-check-not=callq
# RUN: %readelf -r %t.o | FileCheck %s --check-prefix=RELOC --implicit-check-not=R_X86_64_PLT32
# LIST: .text+0x0 plt32
# LIST: .text+0x6 pc32
# LIST: .text+0xd gotpcrel
# LIST: .text+0x14 gotpcrelx
# LIST: .text+0x1b addr32
# LIST: .text+0x25 behind_pad
# LIST: .text+0x2b old_name
# CHECK: <plt32>:
# CHECK-NEXT: nopl (%rax,%rax)
# CHECK: <pc32>:
# CHECK-NEXT: nopl (%rax,%rax)
# CHECK: <gotpcrel>:
# CHECK-NEXT: nopl (%eax,%eax)
# CHECK-NEXT: retq
# CHECK: <gotpcrelx>:
# CHECK-NEXT: nopl (%eax,%eax)
# CHECK: <addr32>:
# CHECK-NEXT: nopl (%eax,%eax)
# CHECK-NEXT: retq
# CHECK: <behind_pad>:
# CHECK-NEXT: endbr64
# CHECK-NEXT: nopl (%rax,%rax)
# RELOC-COUNT-7: R_X86_64_NONE
# RELOC-COUNT-7: R_X86_64_64
.macro function name
.type \name, @function
\name:
.endm
function plt32
  call __fentry__@PLT
  ret
function pc32
  .byte 0xe8
  .reloc ., R_X86_64_PC32, __fentry__-4
  .long 0
  ret
function gotpcrel
  .byte 0xff, 0x15
  .reloc ., R_X86_64_GOTPCREL, __fentry__-4
  .long 0
  ret
function gotpcrelx
  call *__fentry__@GOTPCREL(%rip)
  ret
function addr32
  .byte 0x67
  call __fentry__@PLT
  ret
function behind_pad
  endbr64
  call mcount@PLT
  ret
function old_name
  call _mcount@PLT
  ret
