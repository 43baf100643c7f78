// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The way from a site to its callbacks and back.
//
// A site calls its thunk, `push $id; jmp *slot`, which comes here. Vector registers are not
// touched: a callback that uses them goes through a function that saves them (ops/call.cpp).
//
//      P       return address into the caller          (site at the function's entry)
//      P-8     behind the site                         <- `ret` takes it
//      P-16    id
//      P-24    parent: the same as P    \  for frame pointer walks, as the kernel does:
//      P-32    caller's rbp             /  a frame for the caller,
//      P-40    behind the site          \  and one for the traced function
//      P-48    address of P-32          /  <- rbp
//      ...     struct ftrace_regs, aligned to 16        <- rsp
//
// The traced function has no frame of its own yet, so without the two frames a walk from the
// callback would not see who called it. DWARF unwinders find behind-the-site at CFA-8 as for any
// other call. 264 bytes of stack at most, until the function goes on.
//
// While the thread is between its two stores to `active`, a grace period waits for it. The callback
// to call is loaded after the first store: so a thread that has been on its way here for an hour
// calls what its site wants now, not what it wanted then.

#include "arch/callback_path.h"

        .section .text.nophook_callbacks,"ax",@progbits

// Adjusts a shadow stack for a return address that will not be returned to. rdsspq changes
// nothing where there is none. Clobbers rax.
.macro DROP_SHADOW
        xor     %eax, %eax
        rdsspq  %rax
        test    %rax, %rax
        jz      .Lnone\@
        mov     $1, %eax
        incsspq %rax
.Lnone\@:
.endm

// \all: every general register, else those that a C function may change. \parent: the place of the
// return address into the caller, before anything has been pushed.
.macro CALLER name, all, parent
        .p2align 6
        .globl  \name
        .hidden \name
        .type   \name, @function
\name:
        .cfi_startproc
        .cfi_def_cfa_offset 16
        push    \parent
        .cfi_adjust_cfa_offset 8
        push    %rbp
        .cfi_adjust_cfa_offset 8
        .cfi_rel_offset %rbp, 0
        mov     %rsp, %rbp
        push    24(%rsp)
        .cfi_adjust_cfa_offset 8
        push    %rbp
        .cfi_adjust_cfa_offset 8
        mov     %rsp, %rbp
        .cfi_def_cfa %rbp, 48
        .if \all
        pushfq
        .endif
        lea     -8-REGS_BYTES(%rbp), %rsp
        and     $-16, %rsp

        mov     %rdi, REGS_RDI(%rsp)
        mov     %rsi, REGS_RSI(%rsp)
        mov     %rdx, REGS_RDX(%rsp)
        mov     %rcx, REGS_RCX(%rsp)
        mov     %r8, REGS_R8(%rsp)
        mov     %r9, REGS_R9(%rsp)
        mov     %rax, REGS_RAX(%rsp)
        mov     %r10, REGS_R10(%rsp)
        mov     %r11, REGS_R11(%rsp)
        lea     48(%rbp), %rax
        mov     %rax, REGS_RSP(%rsp)
        mov     8(%rbp), %rdi
        mov     %rdi, REGS_RIP(%rsp)
        mov     32(%rbp), %r11d
        mov     %r11d, REGS_ID(%rsp)
        movl    $\all, REGS_HAS_ALL(%rsp)
        movq    $0, REGS_DIRECT(%rsp)
        movq    $0, REGS_EXIT_AREA(%rsp)
        mov     %rsp, REGS_MARK(%rsp)
        .if \all
        mov     %rbx, REGS_RBX(%rsp)
        mov     %r12, REGS_R12(%rsp)
        mov     %r13, REGS_R13(%rsp)
        mov     %r14, REGS_R14(%rsp)
        mov     %r15, REGS_R15(%rsp)
        mov     16(%rbp), %rax
        mov     %rax, REGS_RBP(%rsp)
        mov     -8(%rbp), %rax
        mov     %rax, REGS_FLAGS(%rsp)
        mov     %cs, %eax
        mov     %rax, REGS_CS(%rsp)
        mov     %ss, %eax
        mov     %rax, REGS_SS(%rsp)
        movq    $-1, REGS_ORIG_RAX(%rsp)
        .endif

        mov     nophook_thread@gottpoff(%rip), %rax
        mov     %fs:(%rax), %rcx
        test    %rcx, %rcx
        jz      .Lfirst\@
        cmpq    $0, THREAD_ACTIVE(%rcx)
        jne     .Lnested\@
        mov     %rsp, THREAD_ACTIVE(%rcx)
.Lmarked\@:
        mov     nophook_calls(%rip), %rax
        mov     (%rax,%r11,8), %rax
        test    %rax, %rax
        jz      .Lcalled\@
        .if !\all
        cmpq    $0, CALL_NEEDS_REGISTERS(%rax)
        jne     .Lcalled\@
        .endif
        sub     $5, %rdi                // the site
        mov     24(%rbp), %rsi
        mov     CALL_OPS(%rax), %rdx
        mov     %rsp, %rcx
        call    *CALL_FUNC(%rax)
.Lcalled\@:
        mov     nophook_thread@gottpoff(%rip), %rax
        mov     %fs:(%rax), %rcx
        cmp     %rsp, THREAD_ACTIVE(%rcx)
        jne     .Lended\@               // nested: the outermost will do it
        incq    THREAD_ROUNDS(%rcx)
        movq    $0, THREAD_ACTIVE(%rcx)
.Lleft\@:
        mov     REGS_RIP(%rsp), %rax
        cmpq    $0, REGS_DIRECT(%rsp)
        jne     .Ldirect\@
        cmp     %rax, 8(%rbp)
        jne     .Lelsewhere\@
        RESTORE \all
        add     $16, %rsp               // to P-8: over parent and id
        .cfi_remember_state
        .cfi_def_cfa_offset 8
        ret
        .cfi_restore_state
        .cfi_def_cfa_offset 24          // LLVM's assembler adjusts from the offset before it

// The site has called us, but no return goes there: the function continues at rip with the stack of
// its entry. The address waits where signal handlers do not write.
.Lelsewhere\@:
        .cfi_def_cfa %rbp, 48
        .cfi_offset %rbp, -32
        mov     %rax, 40(%rbp)          // P-8
        DROP_SHADOW
        RESTORE \all
        add     $24, %rsp               // to P
        .cfi_remember_state
        .cfi_def_cfa_offset 0
        notrack jmp *-8(%rsp)
        .cfi_restore_state

// The direct call, as if the site had made it: the address at which the function continues stays on
// the stack.
.Ldirect\@:
        .cfi_def_cfa %rbp, 48
        .cfi_offset %rbp, -32
        mov     %rax, 40(%rbp)          // P-8
        mov     REGS_DIRECT(%rsp), %rax
        mov     %rax, 32(%rbp)          // P-16
        RESTORE \all
        add     $16, %rsp               // to P-8
        .cfi_remember_state
        .cfi_def_cfa_offset 8
        notrack jmp *-8(%rsp)
        .cfi_restore_state

.Lnested\@:
        .cfi_def_cfa %rbp, 48
        .cfi_offset %rbp, -32
        mov     %rcx, %rdi
        mov     %rsp, %rsi
        call    nophook_thread_nested
        jmp     .Lagain\@
.Lended\@:
        movq    $0, REGS_NESTED(%rsp)
        jmp     .Lleft\@
.Lfirst\@:
        mov     %rsp, %rdi
        call    nophook_thread_first
        test    %rax, %rax
        jz      .Lleft\@
.Lagain\@:
        mov     8(%rbp), %rdi
        mov     32(%rbp), %r11d
        jmp     .Lmarked\@
        .cfi_endproc
        .size   \name, . - \name
.endm

// Back to the registers of the entry, rsp at P-24. Clobbers nothing else.
.macro RESTORE all
        .if \all
        mov     REGS_R15(%rsp), %r15
        mov     REGS_R14(%rsp), %r14
        mov     REGS_R13(%rsp), %r13
        mov     REGS_R12(%rsp), %r12
        mov     REGS_RBX(%rsp), %rbx
        mov     REGS_RBP(%rsp), %rax
        mov     %rax, 16(%rbp)
        .endif
        mov     REGS_R11(%rsp), %r11
        mov     REGS_R10(%rsp), %r10
        mov     REGS_R9(%rsp), %r9
        mov     REGS_R8(%rsp), %r8
        mov     REGS_RAX(%rsp), %rax
        mov     REGS_RCX(%rsp), %rcx
        mov     REGS_RDX(%rsp), %rdx
        mov     REGS_RSI(%rsp), %rsi
        mov     REGS_RDI(%rsp), %rdi
        lea     16(%rbp), %rsp          // P-32
        .cfi_def_cfa %rsp, 32
        pop     %rbp
        .cfi_def_cfa %rsp, 24
        .cfi_restore %rbp
.endm

        CALLER  ftrace_caller, 0, 16(%rsp)
        CALLER  ftrace_regs_caller, 1, 16(%rsp)
        CALLER  ftrace_frame_caller, 0, 8(%rbp)
        CALLER  ftrace_regs_frame_caller, 1, 8(%rbp)
        CALLER  ftrace_pushed_caller, 0, 24(%rsp)
        CALLER  ftrace_regs_pushed_caller, 1, 24(%rsp)

// The address at which a function continues after ftrace_override_function_with_return().
        .p2align 4
        .globl  nophook_just_return
        .hidden nophook_just_return
        .type   nophook_just_return, @function
nophook_just_return:
        .cfi_startproc
        ret
        .cfi_endproc
        .size   nophook_just_return, . - nophook_just_return

        .section .note.GNU-stack,"",@progbits
