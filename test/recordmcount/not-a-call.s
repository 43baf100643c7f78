# A reference to mcount in code that is no call is refused, with its place.
# RUN: %mc %s -o %t.o && cp %t.o %t.before
# RUN: %exits 1 %recordmcount %t.o 2>&1 | FileCheck %s
# RUN: cmp %t.o %t.before
# CHECK: recordmcount: {{.*}}.o: .text+0x2: __fentry__: is no `call` that fits a site (relocation type 1)
# CHECK: 1 failed
large_model:
  movabsq $__fentry__, %r10
  call *%r10
