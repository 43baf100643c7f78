// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The way from a site to its callbacks, into the function, and back to exit handlers.
//
// The site jumps to its thunk, as function_graph's does. A call would have no return of its own:
// each one would leave a place on the CPU's stack of return addresses, so that all returns further
// up are mispredicted, and on a shadow stack. The address that a call would have pushed at P-8
// comes from a table; then the stack is that of ftrace_caller (see there for P to P-48).
//
// If a callback has asked for the function's exit, the body is called as by function_graph, never
// returned to by a changed return address. All general registers are saved on the way in and on the way out, since any of them may
// be an argument or a result.
//
//      P-48    address of P-32                         <- rbp
//      P-56    address of struct ftrace_regs
//      P-64    rbx
//      ...     struct ftrace_regs                      <- rbx until the body is called
//      ...     exit data                               regs.exit_area to regs.exit_end
//      ...     copy of the arguments on the stack      at the same address modulo 64
//      P'      return address to us
//
// A tail call from a body that we, or function_graph, have called finds that place as its return
// address: then there is no exit to be seen here, and no frame that would pile up.

#include "arch/callback_path.h"

        .section .text.nophook_callbacks,"ax",@progbits

.macro SAVE_ALL regs
        mov     %rdi, REGS_RDI(\regs)
        mov     %rsi, REGS_RSI(\regs)
        mov     %rdx, REGS_RDX(\regs)
        mov     %rcx, REGS_RCX(\regs)
        mov     %rax, REGS_RAX(\regs)
        mov     %r8, REGS_R8(\regs)
        mov     %r9, REGS_R9(\regs)
        mov     %r10, REGS_R10(\regs)
        mov     %r11, REGS_R11(\regs)
        mov     %r12, REGS_R12(\regs)
        mov     %r13, REGS_R13(\regs)
        mov     %r14, REGS_R14(\regs)
        mov     %r15, REGS_R15(\regs)
.endm

// rbx last: it holds the address.
.macro LOAD_ALL
        mov     REGS_R15(%rbx), %r15
        mov     REGS_R14(%rbx), %r14
        mov     REGS_R13(%rbx), %r13
        mov     REGS_R12(%rbx), %r12
        mov     REGS_R11(%rbx), %r11
        mov     REGS_R10(%rbx), %r10
        mov     REGS_R9(%rbx), %r9
        mov     REGS_R8(%rbx), %r8
        mov     REGS_RAX(%rbx), %rax
        mov     REGS_RCX(%rbx), %rcx
        mov     REGS_RDX(%rbx), %rdx
        mov     REGS_RSI(%rbx), %rsi
        mov     REGS_RDI(%rbx), %rdi
        mov     REGS_RBX(%rbx), %rbx
.endm

// Room for the data of exit handlers, the callbacks, and on: into the body, or elsewhere.
        .p2align 4
        .type   exit_common, @function
exit_common:
        .cfi_startproc
        .cfi_def_cfa %rbp, 48
        .cfi_offset %rbp, -32
        pushfq
        push    %rbx
        .cfi_offset %rbx, -64
        lea     -16-REGS_BYTES(%rbp), %rsp
        and     $-16, %rsp
        SAVE_ALL %rsp
        mov     %rbx, REGS_RBX(%rsp)
        mov     %rsp, %rbx
        mov     -8(%rbp), %rax
        mov     %rax, REGS_FLAGS(%rbx)
        mov     %rbx, -8(%rbp)
        mov     16(%rbp), %rax
        mov     %rax, REGS_RBP(%rbx)
        lea     48(%rbp), %rax
        mov     %rax, REGS_RSP(%rbx)
        mov     8(%rbp), %rax
        mov     %rax, REGS_RIP(%rbx)
        mov     %cs, %eax
        mov     %rax, REGS_CS(%rbx)
        mov     %ss, %eax
        mov     %rax, REGS_SS(%rbx)
        movq    $-1, REGS_ORIG_RAX(%rbx)
        movq    $0, REGS_DIRECT(%rbx)
        mov     32(%rbp), %eax
        mov     %eax, REGS_ID(%rbx)
        movl    $1, REGS_HAS_ALL(%rbx)
        movl    $0, REGS_EXITS(%rbx)
        mov     %rbx, REGS_MARK(%rbx)

        // A tail call has no return of its own, so its exit is not seen.
        mov     36(%rbp), %ecx
        mov     48(%rbp), %rax
        .irp label, nophook_exit_return, nophook_graph_return, nophook_exit_graph_return, nophook_profile_return
        lea     \label(%rip), %rdx
        cmp     %rdx, %rax
        je      1f
        .endr
        jmp     2f
1:      xor     %ecx, %ecx
2:      mov     %ecx, REGS_CAN_EXIT(%rbx)

        mov     nophook_thread@gottpoff(%rip), %rax
        mov     %fs:(%rax), %rcx
        test    %rcx, %rcx
        jz      exit_first
        cmpq    $0, THREAD_ACTIVE(%rcx)
        jne     exit_nested
        mov     %rbx, THREAD_ACTIVE(%rcx)
exit_marked:
        mov     REGS_ID(%rbx), %ecx
        mov     nophook_calls(%rip), %rax
        mov     (%rax,%rcx,8), %rax
        test    %rax, %rax
        jz      exit_called
        mov     CALL_EXIT_BYTES(%rax), %rcx
        cmp     $CALL_SUMS_EXIT_BYTES, %rcx
        je      exit_sum
exit_sized:
        mov     %rsp, REGS_EXIT_END(%rbx)
        sub     %rcx, %rsp
        mov     %rsp, REGS_EXIT_AREA(%rbx)
        mov     8(%rbp), %rdi
        sub     $5, %rdi                // the site
        mov     24(%rbp), %rsi
        mov     CALL_OPS(%rax), %rdx
        mov     %rbx, %rcx
        call    *CALL_FUNC(%rax)
exit_called:
        mov     nophook_thread@gottpoff(%rip), %rax
        mov     %fs:(%rax), %rcx
        cmp     %rbx, THREAD_ACTIVE(%rcx)
        jne     exit_ended
        incq    THREAD_ROUNDS(%rcx)
        movq    $0, THREAD_ACTIVE(%rcx)
exit_left:
        cmpl    $0, REGS_EXITS(%rbx)
        jne     exit_through
        mov     REGS_RIP(%rbx), %rax
        mov     %rax, 40(%rbp)          // P-8
        cmpq    $0, REGS_DIRECT(%rbx)
        jne     exit_direct

.macro EXIT_UNWIND
        mov     REGS_RBP(%rbx), %rax
        mov     %rax, 16(%rbp)
        LOAD_ALL
        lea     16(%rbp), %rsp          // P-32
        .cfi_def_cfa %rsp, 32
        .cfi_restore %rbx
        pop     %rbp
        .cfi_def_cfa %rsp, 24
        .cfi_restore %rbp
.endm
.macro EXIT_REWIND
        .cfi_def_cfa %rbp, 48
        .cfi_offset %rbp, -32
        .cfi_offset %rbx, -64
.endm
        EXIT_UNWIND
        add     $24, %rsp               // to P
        .cfi_def_cfa_offset 0
        notrack jmp *-8(%rsp)           // where signal handlers do not write
        EXIT_REWIND

// The direct call: its target returns to P-8, as there is no shadow stack (ops/call.cpp).
exit_direct:
        mov     REGS_DIRECT(%rbx), %rax
        mov     %rax, 32(%rbp)          // P-16
        EXIT_UNWIND
        add     $16, %rsp               // to P-8
        .cfi_def_cfa_offset 8
        notrack jmp *-8(%rsp)
        EXIT_REWIND

// Several ops want the function. The ops that it calls may change while they are asked: the room is
// then for other ops, which get none of it.
exit_sum:
        mov     %rbx, %rdi
        call    nophook_exit_bytes
        mov     %rax, %rdx
        mov     REGS_ID(%rbx), %ecx
        mov     nophook_calls(%rip), %rax
        mov     (%rax,%rcx,8), %rax
        mov     %rdx, %rcx
        test    %rax, %rax
        jnz     exit_sized
        jmp     exit_called

// Calls the body: P' = exit_area - 8 - n, then down to P modulo 64.
exit_through:
        mov     REGS_ID(%rbx), %ecx
        mov     nophook_copies(%rip), %rax
        mov     (%rax,%rcx,4), %ecx     // n
        mov     REGS_EXIT_AREA(%rbx), %rdx
        sub     $8, %rdx
        sub     %rcx, %rdx
        lea     48(%rbp), %rsi          // P
        mov     %rdx, %rax
        sub     %rsi, %rax
        and     $63, %eax
        sub     %rax, %rdx              // P'
        lea     8(%rdx), %rsp
        test    %ecx, %ecx
        jz      5f
4:      mov     (%rsi,%rcx), %rax       // the last word is at P + n
        mov     %rax, (%rdx,%rcx)
        sub     $8, %ecx
        jnz     4b
5:      mov     REGS_RIP(%rbx), %rax
        mov     %rax, -16(%rsp)         // below where the call pushes
        mov     8(%rbp), %rdx
        lea     16(%rbp), %rbp          // the frame that walks see: P-32, of the caller
        // The address behind the site is no return address any more. Unwinders find the caller's at P:
        // exceptions must not pass the function twice.
        .cfi_def_cfa %rbp, 40
        .cfi_offset %rbp, -40
        .cfi_offset %rbx, -72
        cmp     %rax, %rdx
        jne     exit_call_thunk
        LOAD_ALL
        notrack call *-16(%rsp)
        .globl  nophook_exit_return
        .hidden nophook_exit_return
nophook_exit_return:
        push    %rbx
        mov     -24(%rbp), %rbx
        SAVE_ALL %rbx
        pop     REGS_RBX(%rbx)
        mov     %rbx, %rdi
        and     $-16, %rsp
        call    nophook_exit_handlers
        LOAD_ALL
        .cfi_remember_state
        mov     %rbp, %rsp
        .cfi_def_cfa %rsp, 40
        .cfi_restore %rbx
        pop     %rbp
        .cfi_def_cfa %rsp, 32
        .cfi_restore %rbp
        add     $24, %rsp               // to P
        .cfi_def_cfa_offset 8
        ret
        .cfi_restore_state

// function_graph's thunk makes a frame of its own below ours.
exit_call_thunk:
        LOAD_ALL
        notrack call *-16(%rsp)
        .globl  nophook_exit_graph_return
        .hidden nophook_exit_graph_return
nophook_exit_graph_return:
        jmp     nophook_exit_return
        EXIT_REWIND

exit_nested:
        mov     %rcx, %rdi
        mov     %rbx, %rsi
        call    nophook_thread_nested
        jmp     exit_marked
exit_ended:
        movq    $0, REGS_NESTED(%rbx)
        jmp     exit_left
exit_first:
        mov     %rbx, %rdi
        call    nophook_thread_first
        test    %rax, %rax
        jnz     exit_marked
        jmp     exit_left
        .cfi_endproc
        .size   exit_common, . - exit_common

// Entered by a jump, with the id at P-8. \can_exit: whether the body may be called. \has_frame: the
// site is behind the prologue, and P is only the top of the stack. \pushed: bytes that the function
// has put on the stack in front of its site, without a frame.
.macro EXIT_CALLER name, can_exit, has_frame, pushed=0
        .p2align 4
        .globl  \name
        .hidden \name
        .type   \name, @function
\name:
        .cfi_startproc
        .if \has_frame
        .cfi_def_cfa %rbp, 16
        .cfi_offset %rbp, -16
        push    %rax
        push    %rdx
        .else
        .cfi_def_cfa_offset 16
        push    %rax
        .cfi_adjust_cfa_offset 8
        push    %rdx
        .cfi_adjust_cfa_offset 8
        .endif
        mov     16(%rsp), %edx          // the id, at P-8
        mov     nophook_bodies(%rip), %rax
        mov     (%rax,%rdx,8), %rax
        mov     %rax, 16(%rsp)
        mov     8(%rsp), %rax
        mov     %rdx, 8(%rsp)           // P-16
        pop     %rdx
        .cfi_def_cfa %rsp, 16           // from here on as if the site had called us
        .cfi_restore %rbp
        .if \has_frame
        push    8(%rbp)
        .else
        push    16+\pushed(%rsp)
        .endif
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
        movl    $\can_exit, 36(%rbp)    // the unused half of the id
        jmp     exit_common
        .cfi_endproc
        .size   \name, . - \name
.endm

        EXIT_CALLER ftrace_exit_caller, 1, 0
        EXIT_CALLER ftrace_exit_entry_caller, 0, 0
        EXIT_CALLER ftrace_exit_frame_caller, 0, 1
        EXIT_CALLER ftrace_exit_pushed_caller, 0, 0, 8

        .section .note.GNU-stack,"",@progbits
