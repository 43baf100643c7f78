// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The hot path of the function profiler. It does the same as function_graph (trampolines.S: the way
// in, the call of the body, registers), but writes no event. The frame keeps when the call began,
// and the counts are the thread's own.
//
//      caller ... | return address            <- A
//                 | caller's rbp              <- rbp
//                 | where its counts are, id   <- rbp-8, two halves
//                 | ticks at the entry        <- rbp-16
//                 | the caller's child ticks  <- rbp-24
//                 | its total so far          <- rbp-32, rsp at the call
//                 | return address to us      <- rbp-40
//      body's frame
//
// Time of callees: the thread has one sum, of calls that the innermost open call has made. A call
// sets it aside, starts from 0, and when it returns puts it back with its own time added. So a call
// writes to its own frame only, whatever frames exceptions and longjmp have dropped; the time of a
// dropped call counts as time of the call that continues.
//
// Recursion: a call that returns makes the function's total what it was when the call began, and
// its own time more. The time that calls inside of it have added is a part of that. So no call
// needs to know whether it is the outermost one, and a call that is left early leaves nothing to be
// taken back.
//
// Each addition to a count is one instruction, so a signal handler's calls are not lost.

#include "arch/fast_path.h"
#include "arch/x86_64/body_frame.inc"

#define BODY 40
#define RETURNS nophook_profile_return, nophook_exit_return, nophook_graph_return

        .section .text.nophook_trampolines,"ax",@progbits

.macro PROFILE_ENTER
        FRAME_ENTER BODY
        mov     %eax, -8(%rbp)
.endm

// rsi = the thread's profile, which has the id in eax, rdx = its counts. These are read first: if a
// handler forks behind that, the child counts into its parent's row, not at an address of no memory.
.macro PROFILE_OPEN slow
        mov     nophook_profile_of_thread@gottpoff(%rip), %rdx
        mov     %fs:(%rdx), %rsi
        mov     PROFILE_COUNTS(%rsi), %rdx
        cmp     PROFILE_IDS(%rsi), %rax
        jae     \slow
.endm

// rcx = the counts of the id in \id, zero-extended, among those in rdx.
.macro PROFILE_COUNTS_OF id
        lea     (\id,\id,2), %rcx
        shl     $4, %rcx                // COUNTS_BYTES
        add     %rdx, %rcx
.endm

// Finds or makes the thread's profile, in rsi, and its counts, in rdx, and goes to \back; without them
// into the body.
.macro PROFILE_SLOW name, back
\name:
        FRAME_PUSH_OTHERS BODY
        mov     -8(%rbp), %edi
        call    nophook_profile_slow
        FRAME_POP_OTHERS
        mov     %rax, %rsi
        mov     -8(%rbp), %eax
        test    %rsi, %rsi
        jz      profile_jump
        mov     PROFILE_COUNTS(%rsi), %rdx
        test    %rdx, %rdx
        jnz     \back
        jmp     profile_jump
.endm

// Counts a hit. Sets aside the time of the caller's callees, and the total; reads the clock last.
.macro PROFILE_BEGIN
        PROFILE_COUNTS_OF %rax
        mov     PROFILE_CHILD(%rsi), %rdx
        mov     %rdx, -24(%rbp)
        movq    $0, PROFILE_CHILD(%rsi)
        mov     %ecx, -4(%rbp)
        incq    COUNTS_HITS(%rcx)
        mov     COUNTS_TOTAL(%rcx), %rdx
        mov     %rdx, -32(%rbp)
.endm
.macro PROFILE_START_CLOCK
        rdtsc
        shl     $32, %rdx
        or      %rdx, %rax
        mov     %rax, -16(%rbp)
.endm

        .p2align 6
        .globl  nophook_profile_caller
        .hidden nophook_profile_caller
        .type   nophook_profile_caller, @function
nophook_profile_caller:
        PROFILE_ENTER
        FRAME_TEST_TAIL profile_tail, RETURNS
        PROFILE_OPEN profile_slow
profile_entered:
        PROFILE_BEGIN
        PROFILE_START_CLOCK
        FRAME_RESTORE BODY
        lea     -32(%rbp), %rsp
profile_call:
        notrack call *-8(%rsp)          // the operand is read before the push overwrites it
        .globl  nophook_profile_return
        .hidden nophook_profile_return
nophook_profile_return:
        FRAME_SAVE BODY
        rdtsc
        shl     $32, %rdx
        or      %rdx, %rax
        sub     -16(%rbp), %rax         // ticks of the call
        mov     nophook_profile_of_thread@gottpoff(%rip), %rdx
        mov     %fs:(%rdx), %rsi
        mov     -8(%rbp), %ecx
        mov     PROFILE_COUNTS(%rsi), %rdx
        cmp     PROFILE_IDS(%rsi), %rcx // a fork child has none yet
        jae     profile_left
        PROFILE_COUNTS_OF %rcx
        cmp     nophook_profile_thresh(%rip), %rax
        jb      profile_short
        mov     -32(%rbp), %rdx
        cmp     %ecx, -4(%rbp)
        jne     profile_elsewhere
profile_total:
        add     %rax, %rdx
        mov     %rdx, COUNTS_TOTAL(%rcx)
        add     %rax, COUNTS_SUM(%rcx)
        mov     %rax, %rdx
        sub     PROFILE_CHILD(%rsi), %rdx
        jae     1f
        xor     %edx, %edx              // a fiber's: its callees ran elsewhere
1:      add     %rdx, COUNTS_SELF(%rcx)
        mov     -24(%rbp), %rdx
        add     %rax, %rdx
        mov     %rdx, PROFILE_CHILD(%rsi)
        mul     %rax
        add     %rax, COUNTS_SQUARE_LOW(%rcx)
        adc     %rdx, COUNTS_SQUARE_HIGH(%rcx)
profile_left:
        FRAME_LEAVE BODY

// The thread has had other counts when the call began: it is a fork child, or has come to functions
// of a library that was loaded later.
profile_elsewhere:
        mov     COUNTS_TOTAL(%rcx), %rdx
        jmp     profile_total

// The call was shorter than the least time that counts.
profile_short:
        mov     -24(%rbp), %rdx
        add     %rax, %rdx
        mov     %rdx, PROFILE_CHILD(%rsi)
        cmp     %ecx, -4(%rbp)
        jne     profile_left
        cmpq    $0, COUNTS_HITS(%rcx)   // they were set to 0 in the meantime
        je      profile_left
        decq    COUNTS_HITS(%rcx)
        jmp     profile_left

// A tail call from a body that we have called: its time belongs to that call.
profile_tail:
        PROFILE_OPEN profile_tail_slow
profile_hit:
        PROFILE_COUNTS_OF %rax
        incq    COUNTS_HITS(%rcx)
profile_jump:
        FRAME_JUMP_BODY BODY

        PROFILE_SLOW profile_slow, profile_entered
        PROFILE_SLOW profile_tail_slow, profile_hit
        PROFILE_SLOW profile_copy_slow, profile_copy_entered
        .cfi_endproc
        .size   nophook_profile_caller, . - nophook_profile_caller

// A function with arguments on the stack.
        .p2align 4
        .globl  nophook_profile_copy_caller
        .hidden nophook_profile_copy_caller
        .type   nophook_profile_copy_caller, @function
nophook_profile_copy_caller:
        PROFILE_ENTER
        FRAME_TEST_TAIL profile_tail, RETURNS
        PROFILE_OPEN profile_copy_slow
profile_copy_entered:
        PROFILE_BEGIN
        FRAME_COPY_ARGUMENTS BODY
        PROFILE_START_CLOCK
        FRAME_RESTORE BODY
        jmp     profile_call
        .cfi_endproc
        .size   nophook_profile_copy_caller, . - nophook_profile_copy_caller

// A function that must not be called through.
        .p2align 4
        .globl  nophook_profile_entry_caller
        .hidden nophook_profile_entry_caller
        .type   nophook_profile_entry_caller, @function
nophook_profile_entry_caller:
        PROFILE_ENTER
        jmp     profile_tail
        .cfi_endproc
        .size   nophook_profile_entry_caller, . - nophook_profile_entry_caller

// hits, which counts only: entered from a thunk that the site has called (trampolines.S,
// nophook_function_caller), so it needs no frame, and all functions are alike.
//
//      rsp+8   behind the site
//      rsp     id
        .p2align 6
        .globl  nophook_hits_caller
        .hidden nophook_hits_caller
        .type   nophook_hits_caller, @function
nophook_hits_caller:
        .cfi_startproc
        .cfi_def_cfa_offset 16
        mov     %rax, -8(%rsp)
        mov     %rdx, -16(%rsp)
        mov     (%rsp), %eax
        mov     nophook_profile_of_thread@gottpoff(%rip), %rdx
        mov     %fs:(%rdx), %rdx
        cmp     PROFILE_IDS(%rdx), %rax
        jae     hits_slow
hits_found:
        mov     PROFILE_COUNTS(%rdx), %rdx
        test    %rdx, %rdx              // a handler may have forked: the child has none
        jz      hits_slow
        lea     (%rax,%rax,2), %rax
        shl     $4, %rax                // COUNTS_BYTES
        incq    COUNTS_HITS(%rdx,%rax)
hits_counted:
        mov     -8(%rsp), %rax
        mov     -16(%rsp), %rdx
        add     $8, %rsp
        .cfi_remember_state
        .cfi_def_cfa_offset 8
        ret
        .cfi_restore_state
        .cfi_def_cfa_offset 16          // LLVM's assembler adjusts from the offset before it

hits_slow:
        sub     $16, %rsp
        .cfi_adjust_cfa_offset 16
        .irp    register, %rcx, %rsi, %rdi, %r8, %r9, %r10, %r11
        push    \register
        .cfi_adjust_cfa_offset 8
        .endr
        mov     %eax, %edi
        call    nophook_profile_slow
        .irp    register, %r11, %r10, %r9, %r8, %rdi, %rsi, %rcx
        pop     \register
        .cfi_adjust_cfa_offset -8
        .endr
        add     $16, %rsp
        .cfi_adjust_cfa_offset -16
        mov     %rax, %rdx
        mov     (%rsp), %eax
        test    %rdx, %rdx
        jnz     hits_found
        jmp     hits_counted
        .cfi_endproc
        .size   nophook_hits_caller, . - nophook_hits_caller

        .section .note.GNU-stack,"",@progbits
