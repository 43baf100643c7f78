// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// void nophook_switch_stack(void (*body)(void *), void *context, void *top)
//
// Calls body(context) with the stack pointer at `top`, a multiple of 16. The frame is found by rbp,
// so debuggers and frame pointer walks go on into the stack that has been left. Leaves nothing
// where it was: body() returns. A shadow stack sees a call and a return like any other.

        .section .text.nophook_callbacks,"ax",@progbits
        .p2align 4
        .globl  nophook_switch_stack
        .hidden nophook_switch_stack
        .type   nophook_switch_stack, @function
nophook_switch_stack:
        .cfi_startproc
        push    %rbp
        .cfi_def_cfa_offset 16
        .cfi_rel_offset %rbp, 0
        mov     %rsp, %rbp
        .cfi_def_cfa_register %rbp
        mov     %rdi, %rax
        mov     %rsi, %rdi
        mov     %rdx, %rsp
        call    *%rax
        mov     %rbp, %rsp
        pop     %rbp
        .cfi_def_cfa %rsp, 8
        ret
        .cfi_endproc
        .size   nophook_switch_stack, . - nophook_switch_stack

        .section .note.GNU-stack,"",@progbits
