// In front of the wrapper, ccache keeps objects whose sites are recorded.
// REQUIRES: ccache
// RUN: rm -rf %t && mkdir %t && cp %s %t/a.c
// RUN: cd %t && env CCACHE_DIR=%t/cache sh -c 'for name in a b; do ccache %nophook cc -O2 -c a.c -o $name.o; done'
// RUN: cd %t && cmp a.o b.o && %cc b.o -o b && ./b && %nophook list --summary b | FileCheck %s
// RUN: env CCACHE_DIR=%t/cache ccache --print-stats | FileCheck %s --check-prefix=HIT
// HIT: direct_cache_hit{{[[:space:]]}}1
// CHECK: 1 function: 1 call-through
int main(void) { return 0; }
