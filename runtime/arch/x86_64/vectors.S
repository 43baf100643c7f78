// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vector registers in and out of memory, as wide as they are in use.
//
// XINUSE (xgetbv with ecx = 1) says which parts of the state differ from 0. A part that is 0 needs
// no saving, and is made 0 again if the callback has changed it. So a program that never uses
// AVX-512 does not begin to because it is traced, with the clock rates and the penalties that would
// bring it.
//
// The x87 registers are in use from a thread's first x87 instruction on, as the CPU sees it, even if
// they are empty again. FXSAVE and FXRSTOR, 36 ns, move them beside the vector registers; XSAVEC and
// XRSTOR take 60.
//
//      area +0       the parts that were in use
//           +8       MXCSR
//           +64      registers 0-31, 64 bytes each
//           +2112    masks k0-k7, 8 bytes each
//           +2176    the x87 state, as FXSAVE stores it

#define X87     0x01
#define AVX     0x04    // upper halves of ymm0-15
#define OPMASK  0x20
#define ZMM_LOW 0x40    // upper halves of zmm0-15
#define ZMM_ALL 0x80    // zmm16-31
#define MASKS   2112
#define FXSAVE  2176

        .section .text.nophook_callbacks,"ax",@progbits

.macro EACH first, last, op, prefix, store
        .altmacro
        EACH_FROM \first, \last, \op, \prefix, \store
        .noaltmacro
.endm
.macro EACH_FROM i, last, op, prefix, store
        .if \store
        \op     %\prefix\()\i, (64 + 64 * \i)(%rdi)
        .else
        \op     (64 + 64 * \i)(%rdi), %\prefix\()\i
        .endif
        .if \last - \i
        EACH_FROM %(\i + 1), \last, \op, \prefix, \store
        .endif
.endm

// rdi: the area. Clobbers rax, rcx, rdx.
        .p2align 4
        .globl  nophook_save_used_vectors
        .hidden nophook_save_used_vectors
        .type   nophook_save_used_vectors, @function
nophook_save_used_vectors:
        .cfi_startproc
        mov     $1, %ecx
        xgetbv
        mov     %rax, (%rdi)
        test    $X87, %al
        jz      3f
        fxsave64 FXSAVE(%rdi)
3:      stmxcsr 8(%rdi)
        test    $ZMM_LOW, %al
        jnz     save_zmm
        test    $AVX, %al
        jnz     save_ymm
        EACH    0, 15, movups, xmm, 1
save_high:
        test    $(ZMM_ALL | OPMASK), %al
        jz      2f
        test    $ZMM_ALL, %al
        jz      1f
        EACH    16, 31, vmovups, zmm, 1
1:      .irp    i, 0, 1, 2, 3, 4, 5, 6, 7
        kmovq   %k\i, (MASKS + 8 * \i)(%rdi)
        .endr
2:      ret
save_ymm:
        EACH    0, 15, vmovups, ymm, 1
        jmp     save_high
save_zmm:
        EACH    0, 15, vmovups, zmm, 1
        jmp     save_high
        .cfi_endproc
        .size   nophook_save_used_vectors, . - nophook_save_used_vectors

// rdi: the area. Clobbers rax, rcx, rdx, rsi.
        .p2align 4
        .globl  nophook_restore_used_vectors
        .hidden nophook_restore_used_vectors
        .type   nophook_restore_used_vectors, @function
nophook_restore_used_vectors:
        .cfi_startproc
        mov     (%rdi), %rsi
        mov     $1, %ecx
        xgetbv                          // the parts that the callback has left in use
        test    $X87, %sil
        jnz     6f
        stmxcsr 12(%rdi)
        mov     8(%rdi), %ecx
        cmp     12(%rdi), %ecx
        je      1f
        ldmxcsr 8(%rdi)
1:      test    $X87, %al
        jz      2f
        fninit
2:
load_vectors:
        test    $ZMM_LOW, %sil
        jnz     load_zmm
        test    $AVX, %sil
        jnz     load_ymm
        test    $(AVX | ZMM_LOW), %al
        jz      1f
        vzeroupper                      // clears the upper halves of registers 0-15
1:      EACH    0, 15, movups, xmm, 0
load_high:
        or      %esi, %eax
        test    $(ZMM_ALL | OPMASK), %al
        jz      4f
        test    $ZMM_ALL, %sil
        jnz     2f
        test    $ZMM_ALL, %al
        jz      3f
        .irp    i, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
        vpxord  %zmm\i, %zmm\i, %zmm\i
        .endr
        jmp     3f
2:      EACH    16, 31, vmovups, zmm, 0
3:      test    $(ZMM_ALL | OPMASK), %sil
        jz      5f
        .irp    i, 0, 1, 2, 3, 4, 5, 6, 7
        kmovq   (MASKS + 8 * \i)(%rdi), %k\i
        .endr
4:      ret
5:      .irp    i, 0, 1, 2, 3, 4, 5, 6, 7
        kxorq   %k\i, %k\i, %k\i
        .endr
        ret
6:      fxrstor64 FXSAVE(%rdi)          // MXCSR, too
        jmp     load_vectors
load_ymm:
        EACH    0, 15, vmovups, ymm, 0
        jmp     load_high
load_zmm:
        EACH    0, 15, vmovups, zmm, 0
        jmp     load_high
        .cfi_endproc
        .size   nophook_restore_used_vectors, . - nophook_restore_used_vectors

        .section .note.GNU-stack,"",@progbits
