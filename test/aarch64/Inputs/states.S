// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "arch/aarch64/thunk.h"
#include "states.h"

#define CALL_FRAME 192          // of call_with, above the arguments

        .arch   armv8-a
        .text

// A function with a site: \name is the code behind it.
.macro FUNCTION name
        .p2align 4
        .cfi_startproc
        nop
        .globl  \name
        .type   \name, %function
\name:
.endm
.macro END name
        .cfi_endproc
        .size   \name, . - \name
.endm

// Everything but x16, x17 into the state at x17.
.macro STORE_STATE
        .irp    n, 0, 2, 4, 6, 8, 10, 12, 14, 18, 20, 22, 24, 26, 28
        STORE_PAIR \n, %(\n + 1)
        .endr
        str     x30, [x17, 8 * 30]
        mov     x16, sp
        str     x16, [x17, STATE_SP]
        .irp    n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
        str     q\n, [x17, STATE_V + 16 * \n]
        .endr
.endm
.macro STORE_PAIR n, m
        stp     x\n, x\m, [x17, 8 * \n]
.endm
.macro LOAD_PAIR n, m
        ldp     x\n, x\m, [x17, 8 * \n]
.endm

// x0 to x15, x18 and the vector registers \vectors of the state at x17.
.macro LOAD_STATE vectors:vararg
        .irp    n, 0, 2, 4, 6, 8, 10, 12, 14
        LOAD_PAIR \n, %(\n + 1)
        .endr
        ldr     x18, [x17, 8 * 18]
        .irp    n, \vectors
        ldr     q\n, [x17, STATE_V + 16 * \n]
        .endr
.endm

        .altmacro

FUNCTION call_with
        stp     x29, x30, [sp, -CALL_FRAME]!
        mov     x29, sp
        .cfi_def_cfa x29, CALL_FRAME
        .cfi_offset x29, -CALL_FRAME
        .cfi_offset x30, 8 - CALL_FRAME
        stp     x19, x20, [sp, 16]
        stp     x21, x22, [sp, 32]
        stp     x23, x24, [sp, 48]
        stp     x25, x26, [sp, 64]
        stp     x27, x28, [sp, 80]
        stp     d8, d9, [sp, 96]
        stp     d10, d11, [sp, 112]
        stp     d12, d13, [sp, 128]
        stp     d14, d15, [sp, 144]
        str     x2, [sp, 160]
        mov     x16, x0
        mov     x17, x1
        sub     sp, sp, 8 * STATE_ARGUMENT_WORDS
        .irp    n, 0, 16, 32
        ldp     x0, x1, [x17, STATE_ARGUMENTS + \n]
        stp     x0, x1, [sp, \n]
        .endr
        LOAD_STATE 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
        .irp    n, 19, 21, 23, 25, 27
        LOAD_PAIR \n, %(\n + 1)
        .endr
        blr     x16
        .globl  call_has_returned
call_has_returned:
        ldr     x17, [sp, 8 * STATE_ARGUMENT_WORDS + 160]
        STORE_STATE
        add     sp, sp, 8 * STATE_ARGUMENT_WORDS
        ldp     x19, x20, [sp, 16]
        ldp     x21, x22, [sp, 32]
        ldp     x23, x24, [sp, 48]
        ldp     x25, x26, [sp, 64]
        ldp     x27, x28, [sp, 80]
        ldp     d8, d9, [sp, 96]
        ldp     d10, d11, [sp, 112]
        ldp     d12, d13, [sp, 128]
        ldp     d14, d15, [sp, 144]
        ldp     x29, x30, [sp], CALL_FRAME
        .cfi_def_cfa sp, 0
        ret
END call_with

.macro STORE_FOUND
        adrp    x17, found
        add     x17, x17, :lo12:found
        STORE_STATE
        .irp    n, 0, 16, 32
        ldp     x0, x1, [sp, \n]
        stp     x0, x1, [x17, STATE_ARGUMENTS + \n]
        .endr
.endm

FUNCTION body
        STORE_FOUND
        adrp    x17, result
        add     x17, x17, :lo12:result
        LOAD_STATE 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
        ret
END body

FUNCTION tail_body
        STORE_FOUND
        LOAD_STATE 0
        adrp    x16, tail_target
        ldr     x16, [x16, :lo12:tail_target]
        br      x16
END tail_body

FUNCTION clobber
        .irp    n, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18
        mov     x\n, 0xdead
        .endr
        ret
END clobber

// A thunk for each trampoline, as Arch::write_thunk makes them.
.macro THUNKS name, function
        .text
        .p2align 5
        .globl  \name
\name:
        .irp    trampoline, nophook_function_caller, nophook_graph_caller, nophook_graph_copy_caller, nophook_graph_entry_caller, nophook_profile_caller, nophook_profile_copy_caller, nophook_profile_entry_caller, nophook_hits_caller, ftrace_caller, ftrace_regs_caller, ftrace_exit_caller, ftrace_exit_entry_caller, nophook_klp_caller
        .p2align 5
        adr     x17, .
        ldr     x16, 1f
        br      x16
        brk     0
        b       \function
        .4byte  (. - \name) / 32
1:      .8byte  \trampoline
        .endr
.endm
        .noaltmacro

        THUNKS  body_thunks, body
        THUNKS  tail_thunks, tail_body

        .section .note.GNU-stack,"",%progbits
