// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vector registers in and out of memory. C++ is compiled without them.
//
//      area +0       FPSR, FPCR
//           +16      q0-q31
//
// and with SVE, whose registers have q0-q31 in themselves (L is their length):
//
//      area +0       FPSR, FPCR
//           +64      z0-z31, L bytes each
//           +64+32L  p0-p15 and FFR, L/8 bytes each

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
restore_status:
        ldp     x1, x2, [x0]
        msr     fpsr, x1
        mrs     x3, fpcr
        cmp     x2, x3
        b.eq    1f
        msr     fpcr, x2
1:      ret
END nophook_restore_vectors

        .arch_extension sve
.macro EACH_SVE op, register, last, area
        .irp    i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
        \op     \register\i, [\area, \i, mul vl]
        .endr
        .if \last - 15
        .irp    i, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
        \op     \register\i, [\area, \i, mul vl]
        .endr
        .endif
.endm

// uint64_t nophook_sve_bytes(void): L.
FUNCTION nophook_sve_bytes
        rdvl    x0, 1
        ret
END nophook_sve_bytes

// uint64_t nophook_svcr(void), on a CPU with SME. Bit 0: streaming mode, which has no FFR.
FUNCTION nophook_svcr
        mrs     x0, s3_3_c4_c2_2
        ret
END nophook_svcr

// void nophook_save_sve(void *area, bool has_ffr). Clobbers x1 to x3.
FUNCTION nophook_save_sve
        mov     w3, w1
        mrs     x1, fpsr
        mrs     x2, fpcr
        stp     x1, x2, [x0]
        add     x1, x0, 64
        EACH_SVE str, z, 31, x1
        addvl   x1, x1, 16
        addvl   x1, x1, 16
        EACH_SVE str, p, 15, x1
        cbz     w3, 1f
        rdffr   p0.b
        str     p0, [x1, 16, mul vl]
        ldr     p0, [x1]
1:      ret
END nophook_save_sve

// void nophook_restore_sve(void *area, bool has_ffr). Clobbers x1 to x3.
FUNCTION nophook_restore_sve
        mov     w3, w1
        add     x1, x0, 64
        EACH_SVE ldr, z, 31, x1
        addvl   x1, x1, 16
        addvl   x1, x1, 16
        cbz     w3, 1f
        ldr     p0, [x1, 16, mul vl]
        wrffr   p0.b
1:      EACH_SVE ldr, p, 15, x1
        b       restore_status
END nophook_restore_sve

// void nophook_store_vectors(void *to): q0-q15, as they are.
FUNCTION nophook_store_vectors
        .irp    i, 0, 2, 4, 6, 8, 10, 12, 14
        PAIR    stp, 0, \i, %(\i + 1)
        .endr
        ret
END nophook_store_vectors

#include "arch/aarch64/asm_notes.inc"
