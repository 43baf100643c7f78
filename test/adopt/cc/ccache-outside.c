// In front of the wrapper, ccache works as well.
// REQUIRES: ccache
// RUN: rm -rf %t.dir && mkdir %t.dir && cp %s %t.dir/a.c
// RUN: cd %t.dir && env CCACHE_DIR=%t.dir/cache ccache %nophook cc -O1 -c a.c -o a.o
// RUN: cd %t.dir && env CCACHE_DIR=%t.dir/cache ccache %nophook cc -O1 -c a.c -o b.o && cmp a.o b.o
// RUN: env CCACHE_DIR=%t.dir/cache ccache --print-stats | FileCheck %s --check-prefix=HIT
// RUN: cd %t.dir && env CCACHE_DIR=%t.dir/cache ccache %nophook cc b.o -o b && ./b && %nophook list --summary b | FileCheck %s
// HIT: direct_cache_hit{{[[:space:]]}}1
// CHECK: 1 function: 1 call-through
int main(void) { return 0; }
