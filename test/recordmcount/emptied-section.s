# A section that claims no bytes in the file is not read, whatever its name and wherever it points.
# RUN: %mc %s -o %t.o
# RUN: %patch %t.o %t.debug .debug_info.sh_type=8 .debug_info.sh_offset=0x7fffffff
# RUN: %recordmcount --verify %t.debug | FileCheck %s
# RUN: %patch %t.o %t.code .text.sh_type=8 && %exits 0 %recordmcount %t.code | FileCheck %s --check-prefix=CODE
# CHECK: 1 sites in 1 objects, 1 new; 1 of 1 files changed
# CODE: 0 sites in 1 objects, 0 new; 0 of 1 files changed
f: call __fentry__@PLT
.section .debug_info,"",@progbits
.quad 1, 2, 3
