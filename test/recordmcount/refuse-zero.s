# Number 0 stands for no section and no symbol; an alignment is a power of two, and costs nothing.
# RUN: %mc %s -o %t.o && %patch %t.o %t.section .sh_type=1 && %patch %t.o %t.symbol .symtab.sh_info=0 && %patch %t.o %t.align .symtab.sh_addralign=24
# RUN: %exits 1 %recordmcount %t.section %t.symbol %t.align 2>&1 | FileCheck %s
# RUN: %patch %t.o %t.huge .symtab.sh_addralign=0x400000000 && %recordmcount --verify %t.huge && %python -c "import os; assert os.stat('%t.huge').st_size < 4096"
# CHECK: recordmcount: {{.*}}.section: has a section with number 0
# CHECK: {{.*}}.symbol: {{.*}}.symtab': symbol 0 is not local
# CHECK: {{.*}}.align: {{.*}}.symtab': its alignment is no power of two
# CHECK: 0 of 3 files changed, 3 failed
.globl f
f: call __fentry__@PLT
  ret
