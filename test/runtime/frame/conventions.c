// Calling conventions that return or keep values in unusual registers are undisturbed.
// RUN: %traced_cc -O0 %s -o %t && %alike --must most --must swift4 -- %t
// RUN: %traced_cc -O2 %s -o %t && %alike --must most --must swift4 -- %t
#include "program.h"

__attribute__((preserve_most, noinline)) void most(long x) { KEEP(x); }
__attribute__((preserve_all, noinline)) void all(long x) { KEEP(x); }
__attribute__((regcall, noinline)) long regs(long a, long b, long c, long d, long e, long f, long g, long h,
                                             long i, long j) {
  KEEP(a);
  return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i + 10 * j;
}
__attribute__((preserve_none, noinline)) long none(long a, long b, long c, long d, long e, long f, long g,
                                                   long h, long i, long j, long k, long l) {
  KEEP(a);
  return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i + 10 * j + 11 * k + 12 * l;
}
typedef struct Four {
  long a, b, c, d;
} Four;
__attribute__((swiftcall, noinline)) long swift(long a, __attribute__((swift_context)) void *context) {
  KEEP(a);
  return a + (long)context;
}
__attribute__((swiftcall, noinline)) Four swift4(long a) {
  KEEP(a);
  return (Four){a, a + 1, a + 2, a + 3};
}
__attribute__((ms_abi, noinline)) long windows(long a, double b, long c, long d, long e, long f) {
  KEEP(a);
  return a + (long)b * 2 + c * 3 + d * 4 + e * 5 + f * 6;
}

// More live values than a plain call leaves registers for: some are in r10, r11, rcx... if
// the callee has promised to keep those. `call` is pasted, so that it is a direct call.
#define LIVE(name, call)                                                                           \
  NOINLINE static long name(long a, long b, long c, long d, double x) {                            \
    long r = a * 3, s = b * 5, t = c * 7, u = d * 9, v = a + b, w = b + c, y = c + d, z = d - a;   \
    long q = a * b, p = c * d, o = a * d;                                                          \
    double f = x * 1.5, g = x + 2;                                                                 \
    __asm__ volatile("" : "+r"(r), "+r"(s), "+r"(t), "+r"(u), "+r"(v), "+r"(w), "+r"(y), "+r"(z)); \
    __asm__ volatile("" : "+r"(q), "+r"(p), "+r"(o), "+x"(f), "+x"(g));                            \
    call(1);                                                                                       \
    return r + s * 2 + t * 3 + u * 4 + v * 5 + w * 6 + y * 7 + z * 8 + q * 9 + p + o + (long)(f + g); \
  }
LIVE(live_most, most)
LIVE(live_all, all)

int main(void) {
  EXPECT_EQ(live_most(1, 2, 3, 4, 2), live_all(1, 2, 3, 4, 2));
  EXPECT_EQ(live_most(1, 2, 3, 4, 2), 3 + 20 + 63 + 144 + 15 + 30 + 49 + 24 + 18 + 12 + 4 + 7);
  EXPECT_EQ(regs(1, 2, 3, 4, 5, 6, 7, 8, 9, 10), 385);
  EXPECT_EQ(none(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12), 650);
  EXPECT_EQ(swift(3, (void *)4), 7);
  EXPECT(swift4(1).a == 1 && swift4(1).b == 2 && swift4(1).c == 3 && swift4(1).d == 4);
  EXPECT_EQ(windows(1, 2, 3, 4, 5, 6), 91);
  return failures;
}
