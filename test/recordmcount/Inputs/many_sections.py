#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Assembly with N functions, each in a section of its own, as -ffunction-sections makes them."""
import sys

for i in range(int(sys.argv[1])):
    print(f".section .text.f{i},\"ax\",@progbits\n.globl f{i}\n.type f{i},@function\nf{i}: call __fentry__@PLT\nret")
