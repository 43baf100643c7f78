// AArch64: functions of gcc are described as on x86-64: by their signatures, and by what their code does above the frame.
// REQUIRES: aarch64-cross, lld
// DEFINE: %{link} = %clang --target=aarch64-linux-gnu -shared -nostdlib -fuse-ld=lld -Wl,-T,%lds %aarch64-module
// DEFINE: %{gcc} = aarch64-linux-gnu-gcc -g -fPIC -Wall -c %s -o %t.o
// RUN: %{gcc} -O2 -fpatchable-function-entry=2 && %recordmcount --verify -q %t.o && %{link} %t.o -o %t.so
// RUN: %nophook list %t.so | FileCheck %s --check-prefixes=CHECK,OPTIMIZED
// RUN: %{gcc} -O0 -fpatchable-function-entry=1 && %recordmcount --verify -q %t.o && %{link} %t.o -o %t.so && %nophook list %t.so | FileCheck %s
// RUN: %{gcc} -Os -fomit-frame-pointer -fpatchable-function-entry=4,2 && %recordmcount --verify -q %t.o && %{link} %t.o -o %t.so && %nophook list %t.so | FileCheck %s
// RUN: %{gcc} -O2 -mbranch-protection=standard -fpatchable-function-entry=2 && %recordmcount --verify -q %t.o && %{link} %t.o -o %t.so && %nophook list %t.so | FileCheck %s
#define NOINLINE __attribute__((noinline))
void hook(void *);
// CHECK-DAG: entry only: variadic {{ *}}variadic
long variadic(int n, ...) { return n; }
// CHECK-DAG: entry only: reads its return address {{ *}}caller
void *caller(void) { hook(0); return __builtin_return_address(0); }
// CHECK-DAG: entry only: reads its return address {{ *}}chain
void *chain(void) { return __builtin_frame_address(1); }
// CHECK-DAG: call-through {{ *}}eight
long eight(long a, long b, long c, long d, long e, long f, long g, long h) { return a - h; }
// CHECK-DAG: call-through, copies 16 bytes {{ *}}ten
long ten(long a, long b, long c, long d, long e, long f, long g, long h, char i, long j) { return a + i * j; }
struct Three { long a[3]; };
// CHECK-DAG: call-through {{ *}}large_result
struct Three large_result(struct Three by) { hook(&by); return by; }
struct Doubles { double a[4]; };
// CHECK-DAG: call-through, copies 32 bytes {{ *}}doubles
double doubles(double a, struct Doubles b, struct Doubles c) { return a + b.a[3] + c.a[3]; }
// CHECK-DAG: call-through, copies 32 bytes {{ *}}wide
long wide(long a, __int128 b, __int128 c, __int128 d, long e, __int128 f) { return a + b + c + d + e + f; }
// CHECK-DAG: call-through, copies 8 bytes {{ *}}large_frame
long large_frame(long a, long b, long c, long d, long e, long f, long g, long h, long i) { char x[70000]; hook(x); return a + i + x[5]; }
// CHECK-DAG: call-through, copies 8 bytes {{ *}}any_frame
long any_frame(long a, long b, long c, long d, long e, long f, long g, long h, long i) { hook(__builtin_alloca(a)); return a + i; }
// CHECK-DAG: call-through {{ *}}tail
long tail(long a) { return eight(a, a, a, a, a, a, a, a); }

// OPTIMIZED-DAG: call-through, copies 8 bytes {{ *}}first
// OPTIMIZED-DAG: call-through, copies 8 bytes {{ *}}second
long first(long a, long b, long c, long d, long e, long f, long g, long h, long i) { return a * b + c * d + e * f + g + i; }
long second(long a, long b, long c, long d, long e, long f, long g, long h, long i) { return a * b + c * d + e * f + g + i; }
// OPTIMIZED-DAG: call-through, copies 8 bytes {{ *}}pieces.isra.0
// OPTIMIZED-DAG: call-through {{ *}}few.isra.0
struct S { long a, b, c, d; };
NOINLINE static long pieces(struct S *s, long b, long c, long d, long e, long f, long g, long h) { return s->a + s->b * b + c * d + e * f * g * h; }
NOINLINE static long few(struct S *s) { return s->a + s->b; }
long use(struct S s, long n) { return pieces(&s, n, n, n, n, n, n, n) + few(&s) + pieces(&s, n + 1, n, n, n, n, n, n) + few(&s); }
