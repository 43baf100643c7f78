// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The hot path of the function profiler. It does the same as function_graph (trampolines.S: the way
// in, the call of the body, registers), but writes no event. The frame keeps when the call began,
// and the counts are the thread's own.
//
//      caller ...                            <- S
//                 | x29, x30 of the caller   <- S-16, x29
//                 | its id                   <- S-24
//                 | where its counts are     <- S-32
//                 | the caller's child ticks <- S-40
//                 | ticks at the entry       <- S-48
//                 | spare                    <- S-56
//                 | its total so far         <- S-64, sp at the call
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
// Each addition to a count is an exclusive load and store. A signal handler in between has cleared the
// monitor when it returns, so the addition is made again and its calls are not lost.

#include "arch/fast_path.h"
#include "arch/aarch64/body_frame.inc"

#define OWN 48
#define ID -8
#define COUNTS -16
#define CHILD -24
#define TICKS -32
#define TOTAL -48
#define RETURNS nophook_profile_return, nophook_exit_return, nophook_graph_return

        .section .text.nophook_trampolines,"ax",@progbits

// x16 = the thread's counts, x1 = the id, of which they have some. Clobbers x0.
.macro PROFILE_OPEN slow
        LOAD_TLS x16, x0, nophook_profile_of_thread
        ldr     w1, [x17, THUNK_ID]
        ldr     x0, [x16, PROFILE_IDS]
        cmp     x1, x0
        b.hs    \slow
.endm

// \to = the counts of the id in x1, or to \none: a handler may have forked, and the child has none.
// Clobbers \spare.
.macro PROFILE_COUNTS_OF to, spare, none
        ldr     \to, [x16, PROFILE_COUNTS]
        cbz     \to, \none
        add     \spare, x1, x1, lsl 1
        add     \to, \to, \spare, lsl 4 // COUNTS_BYTES
.endm

// Adds \value to the word at \at.
.macro COUNT op, at, value, sum, status
.Lagain\@:
        ldxr    \sum, [\at]
        \op     \sum, \sum, \value
        stxr    \status, \sum, [\at]
        cbnz    \status, .Lagain\@
.endm

#if COUNTS_SELF % 16 || COUNTS_SQUARE_LOW != COUNTS_SELF + 8 || COUNTS_SUM != COUNTS_SQUARE_HIGH + 8 || COUNTS_BYTES % 16
#error "COUNT2 takes two words at once"
#endif
// The same with the two words at x17, which is a multiple of 16. Clobbers x3, x16, x30; of the flags only \op2 changes
// any.
.macro COUNT2 op, value, op2, value2
.Lagain\@:
        ldxp    x3, x30, [x17]
        \op     x3, x3, \value
        \op2    x30, x30, \value2
        stxp    w16, x3, x30, [x17]
        cbnz    w16, .Lagain\@
.endm

// Finds or makes the thread's counts, in x16, and goes to \back; without them into the body.
.macro PROFILE_SLOW name, back
\name:
        FRAME_PUSH_OTHERS
        ldr     w0, [x17, THUNK_ID]
        bl      nophook_profile_slow
        FRAME_POP_OTHERS
        mov     x16, x0
        ldr     w1, [x17, THUNK_ID]
        cbnz    x16, \back
        b       profile_jump
.endm

// Counts a hit. Sets aside the time of the caller's callees, and the total.
.macro PROFILE_BEGIN slow
        PROFILE_COUNTS_OF x0, x2, \slow
        stp     x0, x1, [x29, COUNTS]
        ldr     x2, [x16, PROFILE_CHILD]
        str     x2, [x29, CHILD]
        str     xzr, [x16, PROFILE_CHILD]
        COUNT   add, x0, 1, x2, w3      // COUNTS_HITS
        ldr     x2, [x0, COUNTS_TOTAL]
        str     x2, [x29, TOTAL]
.endm
// Starts the clock; last, so that the work above is not counted.
.macro PROFILE_START_CLOCK spare
        mrs     \spare, cntvct_el0
        str     \spare, [x29, TICKS]
.endm

        .p2align 6
        .globl  nophook_profile_caller
        .hidden nophook_profile_caller
        .type   nophook_profile_caller, @function
nophook_profile_caller:
        FRAME_ENTER OWN
        FRAME_TEST_TAIL profile_tail, RETURNS
        PROFILE_OPEN profile_slow
profile_entered:
        PROFILE_BEGIN profile_slow
        FRAME_RESTORE
profile_call:
        PROFILE_START_CLOCK x16
        FRAME_CALL_BODY nophook_profile_return
        mrs     x16, cntvct_el0
        FRAME_SAVE OWN
        stp     x2, x3, [sp, 16]
        ldr     x0, [x29, TICKS]
        sub     x0, x16, x0             // ticks of the call
        LOAD_TLS x16, x1, nophook_profile_of_thread
        ldr     x1, [x29, ID]
        ldr     x2, [x16, PROFILE_IDS]  // a fork child has none yet
        cmp     x1, x2
        b.hs    profile_left
        PROFILE_COUNTS_OF x17, x2, profile_left
        LOAD_WORD x1, nophook_profile_thresh
        ldr     x2, [x29, COUNTS]
        cmp     x0, x1
        b.lo    profile_short
        ldr     x1, [x29, TOTAL]
        cmp     x2, x17
        b.ne    profile_elsewhere
profile_total:
        add     x1, x1, x0
        str     x1, [x17, COUNTS_TOTAL]
        ldr     x2, [x16, PROFILE_CHILD]
        subs    x2, x0, x2
        csel    x2, x2, xzr, hs         // a fiber's: its callees ran elsewhere
        ldr     x1, [x29, CHILD]
        add     x1, x1, x0
        str     x1, [x16, PROFILE_CHILD]
        mul     x1, x0, x0
        add     x17, x17, COUNTS_SELF
        COUNT2  add, x2, adds, x1       // COUNTS_SELF, COUNTS_SQUARE_LOW
        umulh   x1, x0, x0
        add     x17, x17, COUNTS_SQUARE_HIGH - COUNTS_SELF
        COUNT2  adc, x1, add, x0        // COUNTS_SQUARE_HIGH by the carry of the last one, COUNTS_SUM
profile_left:
        ldp     x2, x3, [sp, 16]
        FRAME_LEAVE OWN

// The thread has had other counts when the call began: it is a fork child, or has come to functions
// of a library that was loaded later.
profile_elsewhere:
        ldr     x1, [x17, COUNTS_TOTAL]
        b       profile_total

// The call was shorter than the least time that counts.
profile_short:
        ldr     x1, [x29, CHILD]
        add     x1, x1, x0
        str     x1, [x16, PROFILE_CHILD]
        cmp     x2, x17
        b.ne    profile_left
        ldr     x2, [x17]               // COUNTS_HITS
        cbz     x2, profile_left        // they were set to 0 in the meantime
        COUNT   sub, x17, 1, x2, w3
        b       profile_left

// A tail call from a body that we have called: its time belongs to that call.
profile_tail:
        PROFILE_OPEN profile_tail_slow
profile_hit:
        PROFILE_COUNTS_OF x0, x2, profile_tail_slow
        COUNT   add, x0, 1, x2, w3
profile_jump:
        FRAME_JUMP_BODY OWN

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
        FRAME_ENTER OWN
        FRAME_TEST_TAIL profile_tail, RETURNS
        PROFILE_OPEN profile_copy_slow
profile_copy_entered:
        PROFILE_BEGIN profile_copy_slow
        FRAME_COPY_ARGUMENTS OWN
        b       profile_call
        .cfi_endproc
        .size   nophook_profile_copy_caller, . - nophook_profile_copy_caller

// A function that must not be called through.
        .p2align 4
        .globl  nophook_profile_entry_caller
        .hidden nophook_profile_entry_caller
        .type   nophook_profile_entry_caller, @function
nophook_profile_entry_caller:
        FRAME_ENTER OWN
        b       profile_tail
        .cfi_endproc
        .size   nophook_profile_entry_caller, . - nophook_profile_entry_caller

// hits, which counts only: all functions are alike, and none is called (trampolines.S,
// nophook_function_caller).
        .p2align 6
        .globl  nophook_hits_caller
        .hidden nophook_hits_caller
        .type   nophook_hits_caller, @function
nophook_hits_caller:
        .cfi_startproc
        hint    36
        stp     x0, x1, [sp, -32]!
        .cfi_def_cfa_offset 32
        stp     x2, x3, [sp, 16]
        PROFILE_OPEN hits_slow
hits_found:
        PROFILE_COUNTS_OF x0, x2, hits_slow
        COUNT   add, x0, 1, x2, w3      // COUNTS_HITS
hits_counted:
        ldp     x2, x3, [sp, 16]
        ldp     x0, x1, [sp], 32
        .cfi_remember_state
        .cfi_def_cfa_offset 0
        add     x16, x17, THUNK_BODY
        br      x16
        .cfi_restore_state

hits_slow:
        stp     x29, x30, [sp, -16]!
        .cfi_def_cfa_offset 48
        .cfi_offset x29, -48
        .cfi_offset x30, -40
        mov     x29, sp
        .cfi_def_cfa x29, 48
        FRAME_PUSH_OTHERS
        ldr     w0, [x17, THUNK_ID]
        bl      nophook_profile_slow
        FRAME_POP_OTHERS
        mov     x16, x0
        ldp     x29, x30, [sp], 16
        .cfi_def_cfa sp, 32
        .cfi_restore x29
        .cfi_restore x30
        ldr     w1, [x17, THUNK_ID]
        cbnz    x16, hits_found
        b       hits_counted
        .cfi_endproc
        .size   nophook_hits_caller, . - nophook_hits_caller

#include "arch/aarch64/asm_notes.inc"
