// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Behind the trampolines in the program.

        .text
        .globl  trampolines_end
trampolines_end:

        .section .note.GNU-stack,"",%progbits
