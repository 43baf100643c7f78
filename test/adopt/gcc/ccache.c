// Between the wrapper and gcc, ccache keeps what gcc makes, and the sites are recorded again each time.
// REQUIRES: ccache
// RUN: rm -rf %t && mkdir %t && cp %s %t/a.c
// RUN: cd %t && env CCACHE_DIR=%t/cache CCACHE_HARDLINK=1 NOPHOOK_CC="ccache gcc" sh -c 'for name in a b; do %nophook cc -O2 -c a.c -o $name.o; done'
// RUN: cd %t && cmp a.o b.o && %cc a.o -o a && ./a && %nophook list --summary a | FileCheck %s
// RUN: env CCACHE_DIR=%t/cache ccache --print-stats | FileCheck %s --check-prefix=HIT
// RUN: cd %t && env NOPHOOK_CC="ccache gcc" CCACHE_DIR=%t/cache %nophook cc a.c -o b && %nophook list --summary b | FileCheck %s
// HIT: direct_cache_hit{{[[:space:]]}}1
// CHECK: 1 function: 1 call-through
int main(void) { return 0; }
