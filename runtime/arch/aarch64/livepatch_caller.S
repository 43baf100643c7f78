// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The way from the stub of a patched function, while a transition lasts, to the version that this
// thread runs. The stack is that of the function's entry, so the version finds arguments on it, and
// stands where it would without us: exceptions, longjmp and tail calls pass.
//
// x17 is the thunk. The way on may lead behind the site of the old function, where no landing pad
// is: a return needs none.

#include "arch/aarch64/kept_arguments.inc"
#include "arch/aarch64/thunk.h"

        .section .text.nophook_livepatch,"ax",@progbits
        .p2align 6
        .globl  nophook_klp_caller
        .hidden nophook_klp_caller
        .type   nophook_klp_caller, @function
nophook_klp_caller:
        .cfi_startproc
        hint    36
        KEEP_ARGUMENTS
        ldr     w0, [x17, THUNK_ID]     // the index
        mov     x1, x29                 // from there on: the return address counts
        bl      nophook_klp_target
        mov     x16, x0
        GIVE_ARGUMENTS_BACK
        ret     x16
        .cfi_endproc
        .globl  nophook_klp_caller_end
        .hidden nophook_klp_caller_end
nophook_klp_caller_end:
        .size   nophook_klp_caller, . - nophook_klp_caller

#include "arch/aarch64/asm_notes.inc"
