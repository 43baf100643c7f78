// --sort refuses what it does not understand, and leaves the file as it was.
// REQUIRES: lld
// RUN: %clang -fPIC -c %S/Inputs/unsorted.c -o %t.o && %clang -fuse-ld=lld -Wl,--emit-relocs %t.o %tables -o %t.kept && %clang -fuse-ld=lld %t.o -o %t.none -Wl,--defsym=__start_mcount_loc=0,--defsym=__stop_mcount_loc=0
// RUN: %clang -fuse-ld=lld -fPIC -shared %s %tables -o %t.symbol && %clang -fuse-ld=lld %t.o %tables -o %t.good && head -c 3000 %t.good > %t.cut && cp %t.kept %t.before && cp %t.symbol %t.before2
// RUN: %exits 1 %recordmcount -j 1 --sort %t.o %t.kept %t.none %t.symbol %t.cut %s 2>&1 | FileCheck %s
// RUN: cmp %t.kept %t.before && cmp %t.symbol %t.before2
// RUN: %exits 2 %recordmcount --sort --keep-calls %t.good 2>&1 | FileCheck %s --check-prefix=USAGE
// CHECK: .o: has not been linked yet: only what is linked can be sorted
// CHECK: .kept: __mcount_loc: has relocations of the linker's (--emit-relocs) that would be wrong
// CHECK: .none: note: is not there: the file was linked without nophook_module.o
// CHECK: .symbol: __mcount_loc: the entry at 0x{{[0-9A-F]+}} is relocated in a way that is not known
// CHECK: .cut: {{.}}
// CHECK: .c: is no 64-bit little-endian ELF file
// CHECK: recordmcount: 0 sites; 0 of 6 files sorted, 6 failed
// USAGE: recordmcount: {{.*}}--sort
__asm__(".globl f\n.type f, @function\nf: .byte 0x0f, 0x1f, 0x44, 0, 0\nret\n"
        ".section __mcount_loc, \"aw\", @progbits\n.balign 8\n.quad f\n.text\n");
