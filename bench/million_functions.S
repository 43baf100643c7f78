// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 1,000,000 functions with a name, a site and an entry each, as the plugin would make them. A compiler
// would take minutes; the assembler takes twelve seconds.

        .altmacro
        .macro  one n
        .p2align 4
        .type   fab\n, @function
fab\n:  .byte   0x0f, 0x1f, 0x44, 0x00, 0x00
        ret
        .size   fab\n, 6
        .section __mcount_loc, "awo", @progbits, .text
        .quad   fab\n
        .text
        .endm
        .text
        .set    i, 0
        .rept   1000000
        one     %i
        .set    i, i + 1
        .endr
        .section .note.GNU-stack,"",@progbits
