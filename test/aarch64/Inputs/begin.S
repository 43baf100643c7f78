// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In front of the trampolines in the program.

        .text
        .globl  trampolines_begin
trampolines_begin:

        .section .note.GNU-stack,"",%progbits
