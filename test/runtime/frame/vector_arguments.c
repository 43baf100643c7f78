// __m256 and __m512 arrive, in registers, and in memory with their alignment.
// RUN: %traced_cc -O2 %s -o %t && %alike --must ymm -- %t
// RUN: %traced_cc -O2 -march=x86-64-v3 -Wno-error %s -o %t && %alike --must ymm -- %t
// RUN: %show --count %t.buf.function_graph | FileCheck %s
// RUN: %traced_cc -O0 %s -o %t && %alike --must ymm -- %t
// RUN: %show --count %t.buf.function_graph | FileCheck %s
#include "program.h"
#include <immintrin.h>
#pragma clang diagnostic ignored "-Wpsabi"

// The file is compiled without the registers, so the values travel in memory, aligned to 32 and 64, and
// aligned moves fetch them.
__attribute__((target("avx2"))) NOINLINE __m256i ymm(__m256i a, __m256i b) {
  KEEP(&a);
  return _mm256_add_epi64(a, b);
}
__attribute__((target("avx2"))) NOINLINE __m256i ymm_odd(long a, long b, long c, long d, long e, long f,
                                                         long on_stack, __m256i v) {
  KEEP(&v);
  return _mm256_add_epi64(v, _mm256_set1_epi64x(on_stack + a + b + c + d + e + f));
}
__attribute__((target("avx512f"))) NOINLINE __m512i zmm(__m512i a, __m512i b) {
  KEEP(&a);
  return _mm512_add_epi64(a, b);
}
__attribute__((target("avx512f"))) NOINLINE __m512i zmm_odd(long a, long b, long c, long d, long e, long f,
                                                            __m512i v, long on_stack) {
  KEEP(&v);
  return _mm512_add_epi64(v, _mm512_set1_epi64(on_stack + a + b + c + d + e + f));
}
typedef long Long4 __attribute__((vector_size(32)));
typedef long Long8 __attribute__((vector_size(64)));

__attribute__((target("avx2"))) NOINLINE static void call_ymm(void) {
  Long4 a = {1, 2, 3, 4}, b = a * 10;
  Long4 sum = (Long4)ymm((__m256i)a, (__m256i)b);
  EXPECT_EQ(sum[0] + sum[3], 55);
  sum = (Long4)ymm_odd(1, 2, 3, 4, 5, 6, 79, (__m256i)a);
  EXPECT_EQ(sum[3], 104);
}
__attribute__((target("avx512f"))) NOINLINE static void call_zmm(void) {
  Long8 c = {1, 2, 3, 4, 5, 6, 7, 8}, d = c * 10;
  Long8 sum = (Long8)zmm((__m512i)c, (__m512i)d);
  EXPECT_EQ(sum[0] + sum[7], 99);
  sum = (Long8)zmm_odd(1, 2, 3, 4, 5, 6, (__m512i)c, 79);
  EXPECT_EQ(sum[7], 108);
}
NOINLINE static void deeper(int n) { // other addresses modulo 64
  char pad[16];
  KEEP(pad);
  call_ymm();
  if (__builtin_cpu_supports("avx512f"))
    call_zmm();
  if (n)
    deeper(n - 1);
  KEEP(pad);
}

int main(void) {
  deeper(5);
  return failures;
}
// REQUIRES: avx2
// CHECK: ymm: 6 entry, 6 exit
// CHECK: ymm_odd: 6 entry, 6 exit
