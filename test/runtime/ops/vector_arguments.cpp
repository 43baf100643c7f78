// Vectors, x87 and complex values by value and as results, in each calling convention, go through
// functions whose callbacks compute with vectors themselves.
// RUN: %traced_cxx -O2 %s -o %t %linked && %trace_linked -p '' -- %t
// RUN: %traced_cxx -O2 -mavx2 -DBYTES=32 %s -o %t %linked
// RUN: %if avx2 %{ %trace_linked -p '' -- %t %}
// RUN: %traced_cxx -O2 -mavx512f -mavx512bw -DBYTES=64 %s -o %t %linked
// RUN: %if avx512f %{ %trace_linked -p '' -- %t %}
#include "ops.h"
#ifndef BYTES
#define BYTES 16
#endif

typedef double Vector __attribute__((vector_size(BYTES)));
typedef _Complex long double Complex;
NOINLINE Vector eight(Vector a, Vector b, Vector c, Vector d, Vector e, Vector f, Vector g, Vector h) { KEEP(0); return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h; }
NOINLINE Vector on_stack(double a, Vector b, Vector c, Vector d, Vector e, Vector f, Vector g, Vector h, Vector i, Vector j) { KEEP(0); return a * (b + c + d + e + f + g + h + i * 10 + j * 100); }
NOINLINE long double x87(long double a, long double b) { KEEP(0); return a * 3 + b; }
NOINLINE Complex complex_x87(Complex a, Complex b) { KEEP(0); return a + 2 * b; }
__attribute__((regcall)) NOINLINE Vector by_regcall(Vector a, long b, Vector c, long d, long e, long f, long g, long h, long i, long j, long k) { KEEP(0); return a * double(b + d + e + f + g + h + i + j + k) + c; }
__attribute__((preserve_most)) NOINLINE void most(double *p, double q) { KEEP(p); *p += q; }
__attribute__((preserve_all)) NOINLINE void all(double *p, double q) { KEEP(p); *p += q; }
static double noise[64];
static long callbacks;
UNTRACED static void compute(unsigned long ip, unsigned long, ftrace_ops *, ftrace_regs *) {
  callbacks++;
  for (int i = 0; i < 64; i++) // the compiler takes the widest vectors that it has
    noise[i] = noise[i] * 1.5 + double(ip);
  long double other = noise[0];
  KEEP(&other);
  __asm__ volatile("pxor %%xmm0, %%xmm0\n pxor %%xmm1, %%xmm1\n pxor %%xmm7, %%xmm7\n pxor %%xmm15, %%xmm15" ::: "xmm0", "xmm1", "xmm7", "xmm15");
}
UNTRACED static bool is(Vector v, double value) {
  for (unsigned i = 0; i < BYTES / 8; i++)
    if (v[i] != value * (i + 1))
      return false;
  return true;
}
UNTRACED static void call(long wanted) {
  Vector v;
  for (unsigned i = 0; i < BYTES / 8; i++)
    v[i] = i + 1;
  KEEP(&v);
  double sum = 1;
  EXPECT(is(eight(v, v, v, v, v, v, v, v), 36));
  EXPECT(is(on_stack(2, v, v, v, v, v, v, v, v, v), 2 * 117));
  EXPECT(x87(7, 2) == 23);
  Complex z = complex_x87(Complex{1, 2}, Complex{3, 4});
  EXPECT(__real__ z == 7 && __imag__ z == 10);
  EXPECT(is(by_regcall(v, 1, v, 2, 3, 4, 5, 6, 7, 8, 9), 46));
  most(&sum, 2);
  all(&sum, 4);
  EXPECT(sum == 7);
  EXPECT_EQ(callbacks, wanted);
  callbacks = 0;
}

UNTRACED int main() {
  static const unsigned long kFlags[] = {0, FTRACE_OPS_FL_SAVE_REGS, FTRACE_OPS_FL_RECURSION_SAFE};
  call(0);
  for (unsigned long flags : kFlags) {
    ftrace_ops ops = {}, second = {};
    ops.func = second.func = compute;
    ops.flags = flags;
    EXPECT_EQ(register_ftrace_function(&ops), 0);
    call(7);
    EXPECT_EQ(register_ftrace_function(&second), 0);
    call(14);
    EXPECT_EQ(unregister_ftrace_function(&ops), 0);
    EXPECT_EQ(unregister_ftrace_function(&second), 0);
  }
  return failures;
}
