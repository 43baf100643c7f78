// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The way from the stub of a patched function, while a transition lasts, to the version that this
// thread runs.
//
//      P       return address into the caller
//      P-8     caller's rbp                    <- rbp
//      P-16    the target of the call
//      P-24    rax, rcx, rdx, rsi, rdi, r8, r9, r10, r11
//              aligned to 16                   <- rsp at the call
//
// Every register may hold an argument. C++ keeps rbx, rbp and r12 to r15, and is compiled without
// vector instructions. The stack is that of the function's entry, so the version finds arguments on
// it, and stands where it would without us: exceptions, longjmp and tail calls pass.
//
// The address waits below the stack pointer for the last instruction, where signal handlers do not
// write. The jump may go behind the site of the old function, where no landing pad is: notrack.

        .section .text.nophook_livepatch,"ax",@progbits
        .p2align 6
        .globl  nophook_klp_caller
        .hidden nophook_klp_caller
        .type   nophook_klp_caller, @function
nophook_klp_caller:
        .cfi_startproc
        .cfi_def_cfa_offset 16
        push    %rax                    // P-16, for a moment
        .cfi_adjust_cfa_offset 8
        mov     8(%rsp), %eax           // the index
        mov     %rbp, 8(%rsp)
        .cfi_offset %rbp, -16
        lea     8(%rsp), %rbp
        .cfi_def_cfa %rbp, 16
        push    (%rsp)                  // rax
        .irp    register, %rcx, %rdx, %rsi, %rdi, %r8, %r9, %r10, %r11
        push    \register
        .endr
        and     $-16, %rsp
        mov     %eax, %edi
        lea     8(%rbp), %rsi
        call    nophook_klp_target
        mov     %rax, -8(%rbp)
        lea     -80(%rbp), %rsp
        .irp    register, %r11, %r10, %r9, %r8, %rdi, %rsi, %rdx, %rcx, %rax
        pop     \register
        .endr
        lea     8(%rbp), %rsp
        mov     (%rbp), %rbp
        .cfi_def_cfa %rsp, 8
        .cfi_restore %rbp
        notrack jmp *-16(%rsp)
        .cfi_endproc
        .globl  nophook_klp_caller_end
        .hidden nophook_klp_caller_end
nophook_klp_caller_end:
        .size   nophook_klp_caller, . - nophook_klp_caller

        .section .note.GNU-stack,"",@progbits
