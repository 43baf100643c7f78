// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Static tracing: the function that the calls kept by recordmcount (--keep-calls) reach. It goes
// into every executable and shared library that has such calls, instead of libc's mcount: hidden,
// so that no other module's calls come here (a library that is profiled with gprof in the same
// process still is), and near, so that a call needs no PLT.
//
// Not tracing, it costs a call, a compare and a return. All registers that a caller may use for arguments keep their values.
// The included .inc files are those of the CPU, in machine/.

#include "nophook/site.h"

#include "mcount_code.inc"

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
#include "gnu_property.inc" // calls come directly, jumps leave unmarked

    .section .note.GNU-stack, "", %progbits
