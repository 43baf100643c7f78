// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the stub of a patched function, while a transition lasts, to the version that this thread
// runs.
//
//      P                                   <- sp when entered
//      P-16    x29, x30 of the caller      <- x29
//      P-160   x0 to x15, x18              <- sp
//
// Every register but x16 and x17 may hold an argument. C++ keeps x19 to x29, and is compiled without
// vector instructions. The stack is that of the function's entry, so the version finds arguments on
// it, and stands where it would without us: exceptions, longjmp and tail calls pass.
//
// x17 is the thunk. The way on may lead behind the site of the old function, where no landing pad
// is: a return needs none.

#include "arch/aarch64/body_frame.inc"

        .section .text.nophook_livepatch,"ax",@progbits
        .p2align 6
        .globl  nophook_klp_caller
        .hidden nophook_klp_caller
        .type   nophook_klp_caller, @function
nophook_klp_caller:
        .cfi_startproc
        hint    36
        stp     x29, x30, [sp, -16]!
        .cfi_def_cfa_offset 16
        .cfi_offset x29, -16
        .cfi_offset x30, -8
        mov     x29, sp
        .cfi_def_cfa x29, 16
        stp     x0, x1, [sp, -144]!
        stp     x2, x3, [sp, 16]
        stp     x4, x5, [sp, 32]
        stp     x6, x7, [sp, 48]
        stp     x8, x9, [sp, 64]
        stp     x10, x11, [sp, 80]
        stp     x12, x13, [sp, 96]
        stp     x14, x15, [sp, 112]
        str     x18, [sp, 128]
        ldr     w0, [x17, THUNK_ID]     // the index
        mov     x1, x29                 // from there on: the return address counts
        bl      nophook_klp_target
        mov     x16, x0
        ldp     x2, x3, [sp, 16]
        ldp     x4, x5, [sp, 32]
        ldp     x6, x7, [sp, 48]
        ldp     x8, x9, [sp, 64]
        ldp     x10, x11, [sp, 80]
        ldp     x12, x13, [sp, 96]
        ldp     x14, x15, [sp, 112]
        ldr     x18, [sp, 128]
        ldp     x0, x1, [sp], 144
        ldp     x29, x30, [sp], 16
        .cfi_def_cfa sp, 0
        .cfi_restore x29
        .cfi_restore x30
        ret     x16
        .cfi_endproc
        .globl  nophook_klp_caller_end
        .hidden nophook_klp_caller_end
nophook_klp_caller_end:
        .size   nophook_klp_caller, . - nophook_klp_caller

#include "arch/aarch64/asm_notes.inc"
