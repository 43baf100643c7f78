// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The way from a call that was kept to where a patched site would have gone.
//
//      Q       return address behind the site      <- rsp when we are entered
//      Q-8     rbp                                 <- rbp
//      Q-16    the target
//      ...     registers
//
// Every register may hold an argument. A site that would be a call of its thunk finds the stack as
// that call leaves it; for one that would be a jump the return address is taken off. The
// address to go to waits below rsp, where signal handlers do not write.

        .section .text.nophook_callbacks,"ax",@progbits
        .p2align 4
        .globl  nophook_static_call
        .hidden nophook_static_call
        .type   nophook_static_call, @function
nophook_static_call:
        .cfi_startproc
        push    %rbp
        .cfi_def_cfa_offset 16
        .cfi_offset %rbp, -16
        mov     %rsp, %rbp
        .cfi_def_cfa_register %rbp
        sub     $8, %rsp
        .irp    register, %rax, %rcx, %rdx, %rsi, %rdi, %r8, %r9, %r10, %r11
        push    \register
        .endr
        mov     8(%rbp), %rdi
        and     $-16, %rsp
        call    nophook_static_call_target
        lea     -80(%rbp), %rsp
        btr     $63, %rax               // kKeptCallJumps
        mov     %rax, -8(%rbp)
        jc      1f
        test    %rax, %rax
        jz      2f
.macro RESTORE
        .irp    register, %r11, %r10, %r9, %r8, %rdi, %rsi, %rdx, %rcx, %rax
        pop     \register
        .endr
        mov     %rbp, %rsp
        pop     %rbp
        .cfi_remember_state
        .cfi_def_cfa %rsp, 8
        .cfi_restore %rbp
.endm
        RESTORE
        notrack jmp *-16(%rsp)
        .cfi_restore_state

1:      xor     %eax, %eax              // as by a jump: a shadow stack forgets the call, too
        rdsspq  %rax
        test    %rax, %rax
        jz      3f
        mov     $1, %eax
        incsspq %rax
3:      RESTORE
        lea     8(%rsp), %rsp
        .cfi_def_cfa_offset 0
        notrack jmp *-24(%rsp)
        .cfi_restore_state

2:      RESTORE
        ret
        .cfi_restore_state
        .cfi_endproc
        .size   nophook_static_call, . - nophook_static_call

        .section .note.GNU-stack,"",@progbits
