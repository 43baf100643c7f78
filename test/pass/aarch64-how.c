// AArch64: each rule of AAPCS64 that decides how a function is called through, in C.
// RUN: %clang --target=aarch64-linux-gnu %instrument -O1 -Rpass=nophook -c %s -o %t.o 2>&1 | FileCheck %s
typedef struct { double a, b, c; } Hfa;
typedef struct { long a, b, c; } Large;
typedef __attribute__((vector_size(16))) int Int4;
typedef struct { Int4 a, b; } Hva;
// CHECK: eight_and_eight is traceable: entry and exit [
void eight_and_eight(long a, int b, char c, short d, long e, void *f, long g, long h, float i, double j, long double k,
                     Int4 l, float m, float n, float o, float p) {}
// CHECK: ninth is traceable: entry and exit, with a copy of 8 bytes
void ninth(long a, long b, long c, long d, long e, long f, long g, long h, char i) {}
// CHECK: odd is traceable: entry and exit, with a copy of 16 bytes
long odd(long a, long b, long c, long d, long e, long f, long g, __int128 h) { return h; }
// CHECK: even is traceable: entry and exit [
long even(long a, long b, long c, long d, long e, __int128 h) { return h; }
// CHECK: aligned is traceable: entry and exit, with a copy of 32 bytes
long aligned(long a, long b, long c, long d, long e, long f, long g, long h, long i, __int128 j) { return j; }
// CHECK: in_memory is traceable: entry and exit [
Large in_memory(long a, long b, long c, long d, long e, long f, long g, long h) { return (Large){a, b, c}; }
// CHECK: whole is traceable: entry and exit, with a copy of 32 bytes
double whole(double a, double b, double c, double d, double e, double f, Hfa g, double h) { return g.a + h; }
// CHECK: vectors is traceable: entry and exit, with a copy of 32 bytes
int vectors(Hva a, Hva b, Hva c, Int4 d, Hva e) { return e.b[0]; }
// CHECK: by_address is traceable: entry and exit [
long by_address(Large a, Large b) { return a.a + b.b; }
// CHECK: variadic is traceable: entry only, it is variadic
int variadic(int a, ...) { return a; }
