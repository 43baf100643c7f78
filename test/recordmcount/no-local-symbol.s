# Code without a local symbol gets a section symbol; everything that names a global one follows.
# RUN: %mc %s -o %t.o && cp %t.o %t.before && %recordmcount --keep-calls --verify %t.o
# RUN: %unchanged %readelf %t.before %t.o
# RUN: %readelf -s %t.o | FileCheck %s --check-prefix=SYMBOLS
# RUN: %readelf -r %t.o | FileCheck %s
# RUN: %readelf --addrsig -g %t.o | FileCheck %s --check-prefix=NAMES
# SYMBOLS: SECTION LOCAL DEFAULT {{.*}} .text.a
# SYMBOLS: SECTION LOCAL DEFAULT {{.*}} .text.b
# SYMBOLS: FUNC GLOBAL DEFAULT {{.*}} a
# CHECK: .rela.data
# CHECK: R_X86_64_64 {{.*}} b + 7
# CHECK: .rela__mcount_loc
# CHECK: R_X86_64_64 {{.*}} .text.a + 0
# NAMES: [_signature]
# NAMES: Address-significant symbols section {{.*}} contains 2 entries
# NAMES: : a
# NAMES: : other
.section .text.a, "ax", @progbits
.globl a
.type a, @function
a:
  call __fentry__@PLT
  jmp b
.section .text.b, "axG", @progbits, _signature, comdat
.globl b, _signature
.type b, @function
b: _signature:
  call __fentry__@PLT
  jmp a
.data
.quad other, b+7
.addrsig
.addrsig_sym a
.addrsig_sym other
