# AArch64: behind the kernel's `mov x9, x30` a call or a NOP is a site of the entry; behind another instruction, or one that signs the return address, none is called through.
# REQUIRES: lld
# RUN: %mc64 %s -o %t.o && %clang --target=aarch64-linux-gnu -g -c -x c %S/Inputs/typed.c -o %t.c.o
# RUN: %llvm_bin/ld.lld -r %t.o %t.c.o -o %t.both.o && %recordmcount --verify --list %t.both.o | FileCheck %s --check-prefix=SITES
# RUN: %clang --target=aarch64-linux-gnu -shared -nostdlib -fuse-ld=lld -Wl,-T,%lds %aarch64-module %t.both.o -o %t.so && %nophook list %t.so | FileCheck %s
# SITES: .text+0x4 called
# SITES: .text+0x10 patched
# SITES: .text+0x20 behind
# SITES: .text+0x2c signed
# CHECK-DAG: call-through {{ *}}called
# CHECK-DAG: call-through {{ *}}patched
# CHECK-DAG: entry only: {{.*}} {{ *}}behind
# CHECK-DAG: entry only: {{.*}} {{ *}}signed
.macro function name
  .globl \name
  .type \name, @function
  \name:
  .cfi_startproc
.endm
.macro end name
  ret
  .cfi_endproc
  .size \name, . - \name
.endm
function called
  mov x9, x30
  bl _mcount
end called
function patched
  mov x9, x30
1: nop
  nop
end patched
function behind
  mov x10, x30
2: nop
end behind
function signed
  paciasp
3: nop
  autiasp
end signed
.section __patchable_function_entries, "aw", @progbits
.quad 1b, 2b, 3b
