// The stack bytes of signatures whose layout the ABI document gives.
// RUN: %clang %instrument -O1 -mavx512f -S %s -o - | FileCheck %s
#include <immintrin.h>
typedef struct { long a, b, c; } Big;       // memory class: 24 bytes
typedef struct { long a, b; } Pair;         // two registers or 16 bytes
typedef struct { _Alignas(64) char c; } Wide;

// Behind each label the word `call` of its descriptor: 131073 is call-through, 131074 + 8 for each byte copies.
// CHECK-LABEL: {{^}}six:
// CHECK: .long 131073
void six(long a, long b, long c, long d, long e, long f) {}
// CHECK-LABEL: {{^}}eight:
// CHECK: .long 131202
void eight(long a, long b, long c, long d, long e, long f, long g, char h) {}
// CHECK-LABEL: {{^}}doubles:
// CHECK: .long 131138
void doubles(double a, double b, double c, double d, double e, double f, double g, double h, float i) {}
// CHECK-LABEL: {{^}}x87:
// CHECK: .long 131202
void x87(long double a) {}
// CHECK-LABEL: {{^}}byval:
// CHECK: .long 131266
void byval(Big a, long b) {}
// CHECK-LABEL: {{^}}pair_behind_five:
// CHECK: .long 131202
void pair_behind_five(long a, long b, long c, long d, long e, Pair f) {}
// CHECK-LABEL: {{^}}aligned:
// CHECK: .long 132098
void aligned(Big a, Wide b) {}
// CHECK-LABEL: {{^}}int128:
// CHECK: .long 131202
void int128(long a, long b, long c, long d, long e, __int128 f) {}
// CHECK-LABEL: {{^}}int128_behind_long_double:
// CHECK: .long 131330
void int128_behind_long_double(long a, long b, long c, long d, long e, long double f, __int128 g) {}
// CHECK-LABEL: {{^}}vectors:
// CHECK: .long 131073
void vectors(__m512 a, __m256 b, __m128 c, __m512 d, __m512 e, __m512 f, __m512 g, __m512 h) {}
// CHECK-LABEL: {{^}}ninth_vector:
// CHECK: .long 131586
void ninth_vector(__m512 a, __m256 b, __m128 c, __m512 d, __m512 e, __m512 f, __m512 g, __m512 h, __m512 i) {}
// CHECK-LABEL: {{^}}sret:
// CHECK: .long 131138
Big sret(long a, long b, long c, long d, long e, long f) { return (Big){}; }
// CHECK-LABEL: {{^}}twelve_registers:
// CHECK: .long 131073
__attribute__((preserve_none)) void twelve_registers(long a, long b, long c, long d, long e, long f, long g,
                                                     long h, long i, long j, long k, long l) {}
// CHECK-LABEL: {{^}}thirteen:
// CHECK: .long 131138
__attribute__((preserve_none)) void thirteen(long a, long b, long c, long d, long e, long f, long g,
                                             long h, long i, long j, long k, long l, long m) {}
// CHECK-LABEL: {{^}}swift:
// CHECK: .long 131073
__attribute__((swiftcall)) void swift(long a, long b, long c, long d, long e, long f,
                                      __attribute__((swift_context)) void *self) {}
