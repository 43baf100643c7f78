// A linker that cannot read the script gets the module object that needs none, and the program is traced, also if its symbols are gone.
// REQUIRES: mold, gold, llvm22
// RUN: rm -rf %t && mkdir %t && cd %t && %nophook cc -v %s -fuse-ld=mold -o mold 2>&1 | FileCheck %s --check-prefix=LINE --implicit-check-not=ftrace.lds --implicit-check-not=warning
// RUN: %nophook cc %s -fuse-ld=gold -o gold 2>&1 | count 0
// RUN: env NOPHOOK_RUNTIME=1 %nophook cc %s -fuse-ld=mold -o shared 2>&1 | count 0
// RUN: env NOPHOOK_RUNTIME=static %nophook cc %s -static -fuse-ld=mold -o static 2>&1 | count 0
// RUN: strip -s mold -o stripped
// RUN: bash -ec 'for p in mold gold shared static stripped; do %nophook record -o data -- ./$p 2>&1; done' | FileCheck %s --implicit-check-not=warning
// LINE: nophook_module_by_name.o
// CHECK-COUNT-5: nophook: 4 events of 2 functions in 1 thread, 0 events lost
__attribute__((noinline)) static int work(int a) { __asm__ volatile("" : "+r"(a)); return a; }
int main(int argc, char **argv) { return work(argc) - 1 + !argv; }
