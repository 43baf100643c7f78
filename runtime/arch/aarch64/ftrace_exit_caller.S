// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The way from a site to its callbacks, into the function, and back to exit handlers.
//
// The stack is that of ftrace_caller (see there for P to P-48), and
//
//      P-16    x29 of the caller, return address   <- x29 while the body runs: what walks see
//      P-32    P-16, behind the site               <- x29 before
//      P-40    whether the body may be called
//      P-48    the thunk; 0 when the body is called
//      P-64    x19, x20
//      P-400   struct ftrace_regs                  <- x19 until the body is called
//      ...     exit data                           regs.exit_area to regs.exit_end
//      ...     copy of the arguments on the stack, at the same address modulo 64
//
// If a callback has asked for the function's exit, the body is called as by function_graph, never
// returned to by a changed return address. All general registers are saved on the way in and on the
// way out, since any of them may be an argument or a result.
//
// A tail call from a body that we, or function_graph, have called finds that place in x30: then
// there is no exit to be seen here, and no frame that would pile up.

#include "arch/callback_path.h"
#include "arch/aarch64/body_frame.inc"
#include "arch/aarch64/callback_frame.inc"

#define FRAME (REGS_ROOM + 64)

        .section .text.nophook_callbacks,"ax",@progbits

// Unwind information while callbacks run: see ftrace_caller.S.
.macro EXIT_REWIND
        .cfi_def_cfa x29, 32
        .cfi_offset x29, -16
        .cfi_offset x30, -8
        .cfi_offset x16, -24
        .cfi_offset x19, -64
        .cfi_offset x20, -56
.endm

// Registers and stack as they were when the site was reached, or as callbacks have made them.
.macro EXIT_UNWIND
        mov     sp, x19
        .cfi_def_cfa sp, FRAME
        LOAD_CLOBBERED sp
        LOAD_KEPT sp
        .cfi_restore x19
        .cfi_restore x20
        ldp     x29, x30, [sp, REGS_X(29)]
        .cfi_restore x29
        .cfi_restore x30
        .cfi_register x16, x30
        add     sp, sp, FRAME
        .cfi_def_cfa_offset 0
.endm

// Room for the data of exit handlers, the callbacks, and on: into the body, or elsewhere.
// In: sp = P-16, where x29 and x30 are; x17 = the thunk; w16: whether the body may be called.
        .p2align 4
        .type   exit_common, @function
exit_common:
        .cfi_startproc
        .cfi_return_column 16
        .cfi_register x16, x30
        .cfi_def_cfa_offset 16
        .cfi_offset x29, -16
        .cfi_offset x30, -8
        sub     sp, sp, FRAME-16
        .cfi_def_cfa_offset FRAME
        SAVE_CLOBBERED sp
        SAVE_KEPT sp
        stp     xzr, xzr, [sp, REGS_X(16)]
        stp     x29, x30, [sp, REGS_X(29)]
        stp     x19, x20, [sp, FRAME-64]
        .cfi_offset x19, -64
        .cfi_offset x20, -56
        FIND_BODY x1, w1
        add     x0, sp, FRAME-16
        stp     x0, x1, [sp, FRAME-32]
        .cfi_offset x16, -24
        add     x29, sp, FRAME-32
        .cfi_def_cfa x29, 32
        mov     x19, sp
        stp     x17, x16, [x29, -16]
        mrs     x0, nzcv
        str     x0, [x19, REGS_PSTATE]
        add     x0, x29, 32
        str     x0, [x19, REGS_SP]
        str     x1, [x19, REGS_PC]
        str     xzr, [x19, REGS_DIRECT]
        ldr     w0, [x17, THUNK_ID]
        mov     w1, 1
        str     w0, [x19, REGS_ID]
        str     w1, [x19, REGS_HAS_ALL]
        str     x19, [x19, REGS_MARK]

        // A tail call has no return of its own, so its exit is not seen.
        .irp label, nophook_exit_return, nophook_graph_return, nophook_exit_graph_return, nophook_profile_return
        adrp    x0, \label
        add     x0, x0, :lo12:\label
        cmp     x30, x0
        csel    w16, wzr, w16, eq
        .endr
        str     wzr, [x19, REGS_EXITS]
        str     w16, [x19, REGS_CAN_EXIT]

        LOAD_TLS x1, x2, nophook_thread
        cbz     x1, exit_first
        ldr     x2, [x1, THREAD_ACTIVE]
        cbnz    x2, exit_nested
        str     x19, [x1, THREAD_ACTIVE]
exit_marked:
        ldr     w1, [x19, REGS_ID]
        LOAD_WORD x0, nophook_calls
        ldr     x2, [x0, x1, lsl 3]
        cbz     x2, exit_called
        ldr     x3, [x2, CALL_EXIT_BYTES]
        cmn     x3, 1                   // CALL_SUMS_EXIT_BYTES
        b.eq    exit_sum
exit_sized:
        str     x19, [x19, REGS_EXIT_END]
        sub     x3, x19, x3
        mov     sp, x3
        str     x3, [x19, REGS_EXIT_AREA]
        ldr     x0, [x29, 8]
        sub     x0, x0, 4               // the site
        ldr     x1, [x29, 24]
        ldr     x16, [x2, CALL_FUNC]
        ldr     x2, [x2, CALL_OPS]
        mov     x3, x19
        blr     x16
exit_called:
        LOAD_TLS x1, x2, nophook_thread
        ldr     x2, [x1, THREAD_ACTIVE]
        cmp     x2, x19
        b.ne    exit_ended
        ldr     x2, [x1, THREAD_ROUNDS]
        add     x2, x2, 1
        add     x3, x1, THREAD_ROUNDS
        stlr    x2, [x3]
        stlr    xzr, [x1]               // THREAD_ACTIVE
exit_left:
        ldr     x17, [x29, -16]
        str     xzr, [x29, -16]
        ldr     x16, [x19, REGS_PC]
        ldr     x2, [x29, 8]            // behind the site
        ldr     w1, [x19, REGS_EXITS]
        cbnz    w1, exit_through
        ldr     x1, [x19, REGS_DIRECT]
        cbnz    x1, exit_direct
        cmp     x2, x16
        b.ne    exit_elsewhere
        add     x16, x17, THUNK_BODY
        EXIT_UNWIND
        br      x16
        EXIT_REWIND
exit_elsewhere:
        EXIT_UNWIND
        GO_ON
        EXIT_REWIND

// The direct call, by the rules of ftrace_caller's.
exit_direct:
        mov     x17, x16
        mov     x16, x1
        EXIT_UNWIND
        mov     x9, x30
        .cfi_register x30, x9
        mov     x30, x17
        .cfi_register x16, x30
        br      x16
        EXIT_REWIND

// Several ops want the function. The ops that it calls may change while they are asked: the room is
// then for other ops, which get none of it.
exit_sum:
        mov     x0, x19
        bl      nophook_exit_bytes
        mov     x3, x0
        ldr     w1, [x19, REGS_ID]
        LOAD_WORD x0, nophook_calls
        ldr     x2, [x0, x1, lsl 3]
        cbnz    x2, exit_sized
        b       exit_called

// Calls the body with sp below the exit data and the arguments, which are copied in words of 16:
// see body_frame.inc.
exit_through:
        ldr     w1, [x19, REGS_ID]
        LOAD_WORD x0, nophook_copies
        ldr     w0, [x0, x1, lsl 2]     // n
        add     x0, x0, 15
        and     x0, x0, -16
        ldr     x1, [x19, REGS_EXIT_AREA]
        sub     x1, x1, x0
        add     x3, x29, 32             // P
        sub     x4, x1, x3
        and     x4, x4, 63
        sub     x1, x1, x4
        mov     sp, x1
        cbz     x0, 2f
        add     x0, x0, x3
1:      ldp     x4, x5, [x3], 16
        stp     x4, x5, [x1], 16
        cmp     x3, x0
        b.lo    1b
2:      cmp     x2, x16
        // The address behind the site is no return address any more. Unwinders find the caller's at P:
        // exceptions must not pass the function twice.
        add     x29, x29, 16
        .cfi_def_cfa x29, 16
        .cfi_offset x16, -8
        b.ne    exit_call_elsewhere
        add     x16, x17, THUNK_BODY
        mov     x17, x19
        LOAD_CLOBBERED x17
        LOAD_KEPT x17
        blr     x16
        .globl  nophook_exit_return
        .hidden nophook_exit_return
nophook_exit_return:
        sub     x17, x29, FRAME-16
        SAVE_CLOBBERED x17
        SAVE_KEPT x17
        mov     x0, x17
        bl      nophook_exit_handlers
        sub     x17, x29, FRAME-16
        LOAD_CLOBBERED x17
        LOAD_KEPT x17
        .cfi_remember_state
        .cfi_restore x19
        .cfi_restore x20
        mov     sp, x29
        ldp     x29, x30, [sp], 16
        .cfi_def_cfa sp, 0
        .cfi_restore x29
        .cfi_restore x30
        .cfi_register x16, x30
        ret
        .cfi_restore_state

// function_graph's thunk makes a frame of its own below ours. Anything else may have no landing pad.
exit_call_elsewhere:
        TEST_THUNK
        mov     x17, x19
        LOAD_CLOBBERED x17
        LOAD_KEPT x17
        b.ne    1f
        blr     x16
        .globl  nophook_exit_graph_return
        .hidden nophook_exit_graph_return
nophook_exit_graph_return:
        b       nophook_exit_return
1:      adr     x30, nophook_exit_graph_return
        ret     x16
        EXIT_REWIND

exit_nested:
        mov     x0, x1
        mov     x1, x19
        bl      nophook_thread_nested
        b       exit_marked
exit_ended:
        str     xzr, [x19, REGS_NESTED]
        b       exit_left
exit_first:
        mov     x0, x19
        bl      nophook_thread_first
        cbnz    x0, exit_marked
        b       exit_left
        .cfi_endproc
        .size   exit_common, . - exit_common

// \can_exit: whether the body may be called. \has_frame: the site is behind the prologue, see
// trampolines.S.
.macro EXIT_CALLER name, can_exit, has_frame
        .p2align 4
        .globl  \name
        .hidden \name
        .type   \name, @function
\name:
        .cfi_startproc
        hint    36
        .if \has_frame
        ldr     x30, [x29, 8]
        hint    7                       // xpaclri
        .endif
        stp     x29, x30, [sp, -16]!
        .cfi_def_cfa_offset 16
        .cfi_offset x29, -16
        .cfi_offset x30, -8
        mov     w16, \can_exit
        b       exit_common
        .cfi_endproc
        .size   \name, . - \name
.endm

        EXIT_CALLER ftrace_exit_caller, 1, 0
        EXIT_CALLER ftrace_exit_entry_caller, 0, 0
        EXIT_CALLER ftrace_exit_frame_caller, 0, 1
// No function of AArch64 pushes in front of its site: never used.
        .globl  ftrace_exit_pushed_caller
        .hidden ftrace_exit_pushed_caller
        .set    ftrace_exit_pushed_caller, ftrace_exit_entry_caller

#include "arch/aarch64/asm_notes.inc"
