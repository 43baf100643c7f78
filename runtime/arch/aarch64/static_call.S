// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The way from a call that was kept to where a patched site would have gone. x30 is behind the
// site; its value in front of the call is in the function's frame. A site always jumps to its
// thunk, so it makes no difference whether this one would be a call or a jump.

#include "arch/aarch64/kept_arguments.inc"

        .section .text.nophook_callbacks,"ax",@progbits
        .p2align 4
        .globl  nophook_static_call
        .hidden nophook_static_call
        .type   nophook_static_call, @function
nophook_static_call:
        .cfi_startproc
        hint    34
        KEEP_ARGUMENTS
        mov     x0, x30
        bl      nophook_static_call_target
        ands    x16, x0, 0x7fffffffffffffff // without kKeptCallJumps
        GIVE_ARGUMENTS_BACK
        b.eq    1f
        br      x16                     // a thunk
1:      ret
        .cfi_endproc
        .size   nophook_static_call, . - nophook_static_call

#include "arch/aarch64/asm_notes.inc"
