// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The way from a site to its callbacks and back.
//
// A site jumps to its thunk, which comes here with its own address in x17. Vector registers are not
// touched: a callback that uses them goes through a function that saves them (ops/call.cpp).
//
//      P                                          <- sp when entered, a multiple of 16
//      P-16    x29 of the caller, return address  \  for frame pointer walks, as the kernel does:
//                                                 /  a frame for the caller,
//      P-32    P-16, behind the site                 <- x29, and one for the traced function
//      P-48    the thunk
//      P-384   struct ftrace_regs                    <- sp
//
// The traced function has no frame of its own yet, so without the two frames a walk from the
// callback would not see who called it. DWARF unwinders find it likewise: the return address of this
// code is behind the site, while x30 has kept the function's own. So the two are different columns,
// and that of x16, which is free here, has the first one.
//
// While the thread is between its two stores to `active`, a grace period waits for it. The callback
// to call is loaded after the first store: so a thread that has been on its way here for an hour
// calls what its site wants now, not what it wanted then. A CPU may do that load before the store;
// the updater's membarrier prevents this. The second store, and that to `rounds`, are releases: all
// loads of a callback come before them.

#include "arch/callback_path.h"
#include "arch/aarch64/body_frame.inc"
#include "arch/aarch64/callback_frame.inc"

#define FRAME (REGS_ROOM + 48)

        .section .text.nophook_callbacks,"ax",@progbits

// Back to the registers of the entry, sp at P. Clobbers nothing else.
.macro RESTORE all
        LOAD_CLOBBERED sp
        .if \all
        LOAD_KEPT sp
        .endif
        .cfi_remember_state
        .cfi_def_cfa sp, FRAME
        ldp     x29, x30, [sp, REGS_X(29)]
        .cfi_restore x29
        .cfi_restore x30
        .cfi_register x16, x30
        add     sp, sp, FRAME
        .cfi_def_cfa_offset 0
.endm

// \all: every general register, else those that a C function may change. \has_frame: the site is
// behind the prologue, see trampolines.S.
.macro CALLER name, all, has_frame
        .p2align 6
        .globl  \name
        .hidden \name
        .type   \name, @function
\name:
        .cfi_startproc
        .cfi_return_column 16
        .cfi_register x16, x30
        hint    36
        .if \has_frame
        ldr     x30, [x29, 8]
        hint    7                       // xpaclri
        .endif
        sub     sp, sp, FRAME
        .cfi_def_cfa_offset FRAME
        SAVE_CLOBBERED sp
        .if \all
        SAVE_KEPT sp
        mrs     x0, nzcv
        str     x0, [sp, REGS_PSTATE]
        .endif
        stp     xzr, xzr, [sp, REGS_X(16)]
        stp     x29, x30, [sp, REGS_X(29)]
        stp     x29, x30, [sp, FRAME-16]
        .cfi_offset x29, -16
        .cfi_offset x30, -8
        FIND_BODY x1, w1
        add     x0, sp, FRAME-16
        stp     x0, x1, [sp, FRAME-32]
        .cfi_offset x16, -24
        add     x29, sp, FRAME-32
        .cfi_def_cfa x29, 32
        str     x17, [x29, -16]
        add     x0, x29, 32
        str     x0, [sp, REGS_SP]
        str     x1, [sp, REGS_PC]
        str     xzr, [sp, REGS_DIRECT]
        str     xzr, [sp, REGS_EXIT_AREA]
        mov     x0, sp
        str     x0, [sp, REGS_MARK]
        ldr     w0, [x17, THUNK_ID]
        mov     w1, \all
        str     w0, [sp, REGS_ID]
        str     w1, [sp, REGS_HAS_ALL]

        LOAD_TLS x1, x2, nophook_thread
        cbz     x1, .Lfirst\@
        ldr     x2, [x1, THREAD_ACTIVE]
        cbnz    x2, .Lnested\@
        mov     x2, sp
        str     x2, [x1, THREAD_ACTIVE]
.Lmarked\@:
        ldr     w1, [sp, REGS_ID]
        LOAD_WORD x0, nophook_calls
        ldr     x2, [x0, x1, lsl 3]
        cbz     x2, .Lcalled\@
        .if !\all
        ldr     x0, [x2, CALL_NEEDS_REGISTERS]
        cbnz    x0, .Lcalled\@
        .endif
        ldr     x0, [x29, 8]
        sub     x0, x0, 4               // the site
        ldr     x1, [x29, 24]
        ldr     x16, [x2, CALL_FUNC]
        ldr     x2, [x2, CALL_OPS]
        mov     x3, sp
        blr     x16
.Lcalled\@:
        LOAD_TLS x1, x2, nophook_thread
        ldr     x2, [x1, THREAD_ACTIVE]
        mov     x3, sp
        cmp     x2, x3
        b.ne    .Lended\@               // nested: the outermost will do it
        ldr     x2, [x1, THREAD_ROUNDS]
        add     x2, x2, 1
        add     x3, x1, THREAD_ROUNDS
        stlr    x2, [x3]
        stlr    xzr, [x1]               // THREAD_ACTIVE
.Lleft\@:
        ldr     x16, [sp, REGS_PC]
        ldr     x1, [sp, REGS_DIRECT]
        ldp     x17, x2, [x29, -16]     // the thunk
        str     xzr, [x29, -16]         // see body_frame.inc
        cbnz    x1, .Ldirect\@
        ldr     x2, [x29, 8]
        cmp     x2, x16
        b.ne    .Lelsewhere\@
        add     x16, x17, THUNK_BODY
        RESTORE \all
        br      x16
        .cfi_restore_state

// The function continues at pc with the stack of its entry.
.Lelsewhere\@:
        RESTORE \all
        GO_ON
        .cfi_restore_state

// Calls it as if the site had done so, by the kernel's rules for AArch64: it returns to where the
// function continues, x30, after it has set x30 to what it finds in x9, the function's return
// address.
.Ldirect\@:
        mov     x17, x16
        mov     x16, x1
        RESTORE \all
        mov     x9, x30
        .cfi_register x30, x9
        mov     x30, x17
        .cfi_register x16, x30
        br      x16
        .cfi_restore_state

.Lnested\@:
        mov     x0, x1
        mov     x1, sp
        bl      nophook_thread_nested
        b       .Lmarked\@
.Lended\@:
        str     xzr, [sp, REGS_NESTED]
        b       .Lleft\@
.Lfirst\@:
        mov     x0, sp
        bl      nophook_thread_first
        cbnz    x0, .Lmarked\@
        b       .Lleft\@
        .cfi_endproc
        .size   \name, . - \name
.endm

        CALLER  ftrace_caller, 0, 0
        CALLER  ftrace_regs_caller, 1, 0
        CALLER  ftrace_frame_caller, 0, 1
        CALLER  ftrace_regs_frame_caller, 1, 1
// No function of AArch64 pushes in front of its site: never used.
        .globl  ftrace_pushed_caller
        .hidden ftrace_pushed_caller
        .set    ftrace_pushed_caller, ftrace_caller
        .globl  ftrace_regs_pushed_caller
        .hidden ftrace_regs_pushed_caller
        .set    ftrace_regs_pushed_caller, ftrace_regs_caller

// The address at which a function continues after ftrace_override_function_with_return().
        .p2align 4
        .globl  nophook_just_return
        .hidden nophook_just_return
        .type   nophook_just_return, @function
nophook_just_return:
        .cfi_startproc
        hint    34
        ret
        .cfi_endproc
        .size   nophook_just_return, . - nophook_just_return

#include "arch/aarch64/asm_notes.inc"
