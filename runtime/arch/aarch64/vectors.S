// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vector registers in and out of memory. C++ is compiled without them.
//
//      area +0       FPSR, FPCR
//           +16      q0-q31

        .section .text.nophook_callbacks,"ax",@progbits

.macro FUNCTION name
        .p2align 4
        .globl  \name
        .hidden \name
        .type   \name, %function
\name:
        .cfi_startproc
        hint    34
.endm
.macro END name
        .cfi_endproc
        .size   \name, . - \name
.endm
.macro PAIRS op
        .irp    i, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30
        PAIR    \op, 16, \i, %(\i + 1)
        .endr
.endm
        .altmacro
.macro PAIR op, from, first, second
        \op     q\first, q\second, [x0, \from + 16 * \first]
.endm

// void nophook_save_vectors(void *area). Clobbers x1, x2.
FUNCTION nophook_save_vectors
        PAIRS   stp
        mrs     x1, fpsr
        mrs     x2, fpcr
        stp     x1, x2, [x0]
        ret
END nophook_save_vectors

// void nophook_restore_vectors(void *area). Clobbers x1 to x3. Writing FPCR costs more than
// reading it, and a callback seldom changes it.
FUNCTION nophook_restore_vectors
        PAIRS   ldp
        ldp     x1, x2, [x0]
        msr     fpsr, x1
        mrs     x3, fpcr
        cmp     x2, x3
        b.eq    1f
        msr     fpcr, x2
1:      ret
END nophook_restore_vectors

// void nophook_store_vectors(void *to): q0-q15, as they are.
FUNCTION nophook_store_vectors
        .irp    i, 0, 2, 4, 6, 8, 10, 12, 14
        PAIR    stp, 0, \i, %(\i + 1)
        .endr
        ret
END nophook_store_vectors

#include "arch/aarch64/asm_notes.inc"
