// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two statically defined probes (USDT) in the form that SystemTap's sys/sdt.h has set, which perf,
// bpftrace, bcc, gdb and SystemTap read. Each has a NOP for their breakpoint, a note with the places
// of the NOP and of its arguments, and a semaphore that is above 0 while a tool is attached.
//
//      nophook:function__entry    $1 the function's site, $2 where it was called from,
//                                 $3 to $8 its first six integer arguments
//      nophook:function__return   $1, $2 the same, $3 its result in x0
//
// void nophook_usdt_entry(unsigned long ip, unsigned long parent_ip, const struct ftrace_regs *)
// void nophook_usdt_return(the same)
//
// Source of the format: https://sourceware.org/systemtap/wiki/UserSpaceProbeImplementation.

// REGS_X0 and the registers behind it are at 0, 8, ...

#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)
#define AT(offset) " 8@[x2, " TEXT(offset) "]"

.macro PROBE function, name, semaphore, arguments:vararg
        .section .text.nophook_callbacks,"ax",@progbits
        .p2align 4
        .globl  \function
        .hidden \function
        .type   \function, @function
\function:
        .cfi_startproc
        hint    34
.Lprobe\@:
        nop
        ret
        .cfi_endproc
        .size   \function, . - \function

        .section .probes,"aw",@progbits
        .p2align 1
        .globl  \semaphore
        .hidden \semaphore
        .type   \semaphore, @object
\semaphore:
        .2byte  0
        .size   \semaphore, . - \semaphore

        .section .note.stapsdt,"",@note
        .balign 4
        .4byte  8, .Lend\@ - .Ldesc\@, 3
        .asciz  "stapsdt"
.Ldesc\@:
        .8byte  .Lprobe\@, _.stapsdt.base, \semaphore
        .asciz  "nophook"
        .asciz  "\name"
        .ascii  \arguments
        .byte   0
.Lend\@:
        .balign 4
.endm

        PROBE   nophook_usdt_entry, function__entry, nophook_usdt_entry_semaphore, "8@x0 8@x1", AT(0), AT(8), AT(16), AT(24), AT(32), AT(40)
        PROBE   nophook_usdt_return, function__return, nophook_usdt_return_semaphore, "8@x0 8@x1", AT(0)

// The base for a file that has been prelinked: the distance from the old place of this to the new
// one.
        .section .stapsdt.base,"aG",@progbits,.stapsdt.base,comdat
        .weak   _.stapsdt.base
        .hidden _.stapsdt.base
_.stapsdt.base:
        .space  1
        .size   _.stapsdt.base, 1

#include "arch/aarch64/asm_notes.inc"
