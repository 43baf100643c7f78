// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a call that was kept to where a patched site would have gone.
//
//      Q                                   <- sp when entered; x30 is behind the site
//      Q-16    x29, x30                    <- x29
//      Q-160   x0 to x15, x18              <- sp
//
// Every register but x16, x17 and x30 may hold an argument. A site always jumps to its thunk, so it
// makes no difference whether this one would be a call or a jump. What x30 was in front of the call
// is in the function's frame.

        .section .text.nophook_callbacks,"ax",@progbits
        .p2align 4
        .globl  nophook_static_call
        .hidden nophook_static_call
        .type   nophook_static_call, @function
nophook_static_call:
        .cfi_startproc
        hint    34
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
        mov     x0, x30
        bl      nophook_static_call_target
        ands    x16, x0, 0x7fffffffffffffff // without kKeptCallJumps
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
        b.eq    1f
        br      x16                     // a thunk
1:      ret
        .cfi_endproc
        .size   nophook_static_call, . - nophook_static_call

#include "arch/aarch64/asm_notes.inc"
