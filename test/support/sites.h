// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions whose sites lie where a compiler seldom puts them: at each offset in a cache line,
// with and without `endbr64` in front, and across the end of a page. Each adds 1 to the calling
// thread's `site_bodies` and returns.
//
// A site whose first two bytes are in two words (address 7 modulo 8) can only be changed by a trap.
// Such sites exist if SITES_WITH_TRAPS is 1.

#pragma once

#include "program.h"

#ifndef SITES_WITH_TRAPS
#define SITES_WITH_TRAPS 0
#endif
#define SITES_TEXT(x) #x
#define SITES_VALUE(x) SITES_TEXT(x)

__thread long site_bodies;
typedef void SiteFunction(void);
extern SiteFunction *const sites_begin[], *const sites_end[];

__asm__(".set sites_with_traps, " SITES_VALUE(SITES_WITH_TRAPS) "\n"
        ".macro one_site endbr\n"
        "771:\n"
        "        .if \\endbr\n"
        "        endbr64\n"
        "        .endif\n"
        "772:    .byte   0x0f, 0x1f, 0x44, 0x00, 0x08\n"
        "        incq    %fs:site_bodies@tpoff\n"
        "        ret\n"
        "773:\n"
        "        .pushsection __mcount_loc, \"aw\", @progbits\n"
        "        .quad   772b\n"
        "        .popsection\n"
        "        .pushsection __ftrace_args, \"aw\", @progbits\n"
        "        .p2align 2\n"
        "        .long   771b - ., 773b - 771b, 0x20001, 0\n"
        "        .popsection\n"
        "        .pushsection .data.rel.ro.sites, \"aw\", @progbits\n"
        "        .quad   771b\n"
        "        .popsection\n"
        ".endm\n"
        "        .section .data.rel.ro.sites, \"aw\", @progbits\n"
        "        .globl sites_begin, sites_end\n"
        "sites_begin:\n"
        "        .section .text.sites, \"ax\", @progbits\n"
        "        .set    offset, 0\n"
        "        .rept   64\n"
        "        .if     sites_with_traps || (offset & 7) != 7\n"
        "        .p2align 6, 0xcc\n"
        "        .skip   offset, 0xcc\n"
        "        one_site 0\n"
        "        .endif\n"
        "        .if     sites_with_traps || ((offset + 4) & 7) != 7\n"
        "        .p2align 6, 0xcc\n"
        "        .skip   offset, 0xcc\n"
        "        one_site 1\n"
        "        .endif\n"
        "        .set    offset, offset + 1\n"
        "        .endr\n"
        "        .set    before_end, 1\n"
        "        .rept   4\n"
        "        .if     sites_with_traps || before_end != 1\n"
        "        .p2align 12, 0xcc\n"
        "        .skip   4096 - before_end, 0xcc\n"
        "        one_site 0\n"
        "        .endif\n"
        "        .set    before_end, before_end + 1\n"
        "        .endr\n"
        "        .section .data.rel.ro.sites, \"aw\", @progbits\n"
        "sites_end:\n"
        "        .text\n");
