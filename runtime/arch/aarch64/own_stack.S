// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// void nophook_switch_stack(void (*body)(void *), void *context, void *top)
//
// Calls body(context) with the stack pointer at `top`, a multiple of 16. The frame is found by x29,
// so debuggers and frame pointer walks go on into the stack that has been left. Leaves nothing
// where it was: body() returns.

        .section .text.nophook_callbacks,"ax",@progbits
        .p2align 4
        .globl  nophook_switch_stack
        .hidden nophook_switch_stack
        .type   nophook_switch_stack, %function
nophook_switch_stack:
        .cfi_startproc
        hint    34
        stp     x29, x30, [sp, -16]!
        .cfi_def_cfa_offset 16
        .cfi_offset x29, -16
        .cfi_offset x30, -8
        mov     x29, sp
        .cfi_def_cfa_register x29
        mov     x9, x0
        mov     x0, x1
        mov     sp, x2
        blr     x9
        mov     sp, x29
        .cfi_def_cfa sp, 16
        ldp     x29, x30, [sp], 16
        .cfi_def_cfa_offset 0
        .cfi_restore x29
        .cfi_restore x30
        ret
        .cfi_endproc
        .size   nophook_switch_stack, . - nophook_switch_stack

#include "arch/aarch64/asm_notes.inc"
