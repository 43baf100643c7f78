// Resolvers run before relocation and have no site, also those that clang makes for target_clones; the functions that they choose have one.
// RUN: %clang -O1 %instrument -c %s -o %t.o && %sites %t.o | FileCheck %s
// RUN: %clang -O0 -fcf-protection=full %instrument -c %s -o %t.o && %sites %t.o | FileCheck %s
// CHECK: sites: chosen cloned.avx2.0 cloned.default.1{{$}}
int chosen(int x) { return x * 3; }
static void *resolve(void) { return chosen; }
int indirect(int x) __attribute__((ifunc("resolve")));
__attribute__((target_clones("avx2", "default"))) int cloned(int x) { return x * 5; }
