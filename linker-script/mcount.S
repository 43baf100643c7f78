// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Static tracing: the function that the calls kept by recordmcount (--keep-calls) reach. It goes
// into every executable and shared library that has such calls, instead of libc's mcount: hidden,
// so that no other module's calls come here (a library that is profiled with gprof in the same
// process still is), and near, so that a call needs no PLT.
//
// Not tracing, it costs a call, a compare and a return. All registers may hold arguments; on AArch64 all but x16 and x17.

#include "nophook/site.h"

#if defined(__x86_64__)
    .section .text.nophook_mcount, "ax", %progbits
    .globl mcount, _mcount, __fentry__
    .hidden mcount, _mcount, __fentry__
    .type mcount, %function
    .type _mcount, %function
    .type __fentry__, %function
    .p2align 4
mcount:
_mcount:
__fentry__:
    .cfi_startproc
    cmpq $0, nophook_static_calls(%rip)
    jne 1f
    retq
1:  jmpq *nophook_static_calls+8(%rip)
    .cfi_endproc
.Lend:
    .size mcount, .Lend - mcount
    .size _mcount, .Lend - _mcount
    .size __fentry__, .Lend - __fentry__

#elif defined(__aarch64__)
// A CPU may load the hook before it loads `on`. Until the first call is switched on it then finds 0, and returns.
    .section .text.nophook_mcount, "ax", %progbits
    .globl mcount, _mcount
    .hidden mcount, _mcount
    .type mcount, %function
    .type _mcount, %function
    .p2align 4
mcount:
_mcount:
    .cfi_startproc
    hint #34 // bti c: a linker's veneer comes by br
    adrp x16, nophook_static_calls
    add x16, x16, :lo12:nophook_static_calls
    ldr x17, [x16]
    cbz x17, 1f
    ldr x16, [x16, #8]
    cbz x16, 1f
    br x16
1:  ret
    .cfi_endproc
.Lend:
    .size mcount, .Lend - mcount
    .size _mcount, .Lend - _mcount
#else
#error "calls are not kept on this processor"
#endif

// A link with --defsym=nophook_static=1 makes these calls stay. The value is absolute, or the 0 of
// a weak symbol: no relocation at start-up.
    .weak nophook_static
    .hidden nophook_static

    .section .data.nophook_static_calls, "awR", %progbits
    .globl nophook_static_calls
    .hidden nophook_static_calls
    .type nophook_static_calls, %object
    .balign 8
nophook_static_calls: // struct nophook_static_calls
    .quad 0
    .quad 0
    .quad mcount - .
    .quad .Lend - mcount
    .quad nophook_static
    .size nophook_static_calls, . - nophook_static_calls

    .section .note.gnu.property, "a", %note
    .balign 8
    .long 4, 16, 5
    .asciz "GNU"
#if defined(__x86_64__)
    .long 0xc0000002, 4, 3, 0 // IBT and SHSTK: calls come directly, jumps leave unmarked
#else
    .long 0xc0000000, 4, 3, 0 // BTI and PAC
#endif

    .section .note.GNU-stack, "", %progbits
