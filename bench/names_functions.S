// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 50,000 functions of C++, as the plugin would make them: app::work<0>(int) and so on.

        .altmacro
        .macro  one n
        .p2align 4
        .type   _ZN3app4workILi\n\()EEEii, @function
_ZN3app4workILi\n\()EEEii:
        .byte   0x0f, 0x1f, 0x44, 0x00, 0x00
        ret
        .size   _ZN3app4workILi\n\()EEEii, 6
        .section __mcount_loc, "awo", @progbits, .text
        .quad   _ZN3app4workILi\n\()EEEii
        .text
        .endm
        .text
        .set    i, 0
        .rept   50000
        one     %i
        .set    i, i + 1
        .endr
        .section .note.GNU-stack,"",@progbits
