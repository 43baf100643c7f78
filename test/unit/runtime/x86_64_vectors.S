// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vector_round_trip() of x86_64_vectors.h. The compiler would use these registers in between.

#define MASKS   2048
#define MXCSR   2112
#define CONTROL 2116
#define STATUS  2118
#define ST0     2120

#define TRIP_BEFORE   0
#define TRIP_CALLBACK 8
#define TRIP_AFTER    16
#define TRIP_AREA     24
#define TRIP_SAVE     32
#define TRIP_RESTORE  40
#define TRIP_MOST     48
#define TRIP_WIDTH_BEFORE   52
#define TRIP_WIDTH_CALLBACK 56

        .text
.macro EACH first, last, op, prefix, store
        .altmacro
        EACH_FROM \first, \last, \op, \prefix, \store
        .noaltmacro
.endm
.macro EACH_FROM i, last, op, prefix, store
        .if \store
        \op     %\prefix\()\i, (64 * \i)(%rdi)
        .else
        \op     (64 * \i)(%rdi), %\prefix\()\i
        .endif
        .if \last - \i
        EACH_FROM %(\i + 1), \last, \op, \prefix, \store
        .endif
.endm

// rdi: a state; esi: its width; rbx: the trip.
load_state:
        ldmxcsr MXCSR(%rdi)
        fninit
        fldcw   CONTROL(%rdi)
        fldt    ST0(%rdi)
        cmpl    $32, TRIP_MOST(%rbx)
        jb      1f
        vzeroall
        cmpl    $32, TRIP_MOST(%rbx)
        je      1f
        .irp    i, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
        vpxord  %zmm\i, %zmm\i, %zmm\i
        .endr
        .irp    i, 0, 1, 2, 3, 4, 5, 6, 7
        kxorq   %k\i, %k\i, %k\i
        .endr
1:      cmp     $32, %esi
        je      2f
        ja      3f
        EACH    0, 15, movups, xmm, 0
        ret
2:      EACH    0, 15, vmovups, ymm, 0
        ret
3:      EACH    0, 15, vmovups, zmm, 0
        EACH    16, 31, vmovups, zmm, 0
        .irp    i, 0, 1, 2, 3, 4, 5, 6, 7
        kmovq   (MASKS + 8 * \i)(%rdi), %k\i
        .endr
        ret

// rdi: where to; esi: the width.
store_state:
        stmxcsr MXCSR(%rdi)
        fnstcw  CONTROL(%rdi)
        fnstsw  STATUS(%rdi)
        fstpt   ST0(%rdi)
        cmp     $32, %esi
        je      2f
        ja      3f
        EACH    0, 15, movups, xmm, 1
        ret
2:      EACH    0, 15, vmovups, ymm, 1
        ret
3:      EACH    0, 15, vmovups, zmm, 1
        EACH    16, 31, vmovups, zmm, 1
        .irp    i, 0, 1, 2, 3, 4, 5, 6, 7
        kmovq   %k\i, (MASKS + 8 * \i)(%rdi)
        .endr
        ret

        .globl  vector_round_trip
        .type   vector_round_trip, @function
vector_round_trip:
        push    %rbx
        sub     $16, %rsp
        mov     %rdi, %rbx
        stmxcsr (%rsp)
        mov     TRIP_BEFORE(%rbx), %rdi
        mov     TRIP_WIDTH_BEFORE(%rbx), %esi
        call    load_state
        mov     TRIP_AREA(%rbx), %rdi
        call    *TRIP_SAVE(%rbx)
        mov     TRIP_CALLBACK(%rbx), %rdi
        mov     TRIP_WIDTH_CALLBACK(%rbx), %esi
        call    load_state
        mov     TRIP_AREA(%rbx), %rdi
        call    *TRIP_RESTORE(%rbx)
        mov     TRIP_AFTER(%rbx), %rdi
        mov     TRIP_MOST(%rbx), %esi
        call    store_state
        fninit
        ldmxcsr (%rsp)
        cmpl    $32, TRIP_MOST(%rbx)
        jb      1f
        vzeroall
1:      add     $16, %rsp
        pop     %rbx
        ret
        .size   vector_round_trip, . - vector_round_trip

        .section .note.GNU-stack,"",@progbits
