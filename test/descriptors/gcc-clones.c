// A clone with another signature than its source has names and types, and the places of the arguments that its debug information shows at its entry.
// REQUIRES: gcc, lld
// RUN: %by_gcc -O2 -fopenmp-simd %s -o %t.o && %recordmcount -q --verify %t.o && %link_cxx %t.o -o %t
// RUN: %nophook list --args --json %t | FileCheck %s
// CHECK-DAG: "function":"constant.constprop.0",{{.*}}"result":{"type":"int","kind":"signed","bytes":4,"place":"rax"},"parameters":[{"name":"a","type":"int","kind":"signed","bytes":4,"place":"rdi"},{"name":"b","type":"int","kind":"signed","bytes":4,"place":"unknown"}]
// CHECK-DAG: "function":"replaced.{{[^"]*}}isra.0",{{.*}}{"name":"p","type":"struct Point *","kind":"pointer","bytes":8,"place":"optimized out"}
// CHECK-DAG: "function":"_ZGVbN2v_simd",{{.*}}{"name":"a","type":"double","kind":"float","bytes":8,"place":"unknown"}
// CHECK-DAG: "function":"simd",{{.*}}{"name":"a","type":"double","kind":"float","bytes":8,"place":"xmm0"}
#define NOINLINE __attribute__((noinline))
struct Point { double x; long y; };
static NOINLINE int replaced(struct Point *p) { return p->x + p->y; }
static NOINLINE int constant(int a, int b) { __asm__ volatile("" : : "r"(&a), "r"(&b) : "memory"); return a * b; }
#pragma omp declare simd
NOINLINE double simd(double a) { return a * a; }
int main(int argc, char **argv) { struct Point p = {argc, argc}; return replaced(&p) + constant(argc, 5) + constant(argc + 1, 5) + simd(argc); }
