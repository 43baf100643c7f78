// Every way to return a value survives: memory, two registers, x87, complex, 128 bits.
// RUN: %traced_cxx -O0 %s -o %t && %alike --must wide -- %t
// RUN: %traced_cxx -O2 %s -o %t && %alike --must wide -- %t
#include "program.h"
#include <functional>
#include <string>

struct Big { long a[5]; };
struct Pair { long a, b; };
struct Mixed { double d; long l; };
struct Twice { double a, b; };
struct Nontrivial { std::string text; ~Nontrivial() { KEEP(this); } };

extern "C" {
NOINLINE Big memory(long x) { return {{x, x + 1, x + 2, x + 3, x + 4}}; }
NOINLINE Pair pair(Pair p, Mixed m) { return {p.b + m.l, p.a + (long)m.d}; }
NOINLINE Mixed mixed(double x) { return {x, (long)x + 1}; }
NOINLINE Twice twice(double x) { return {x, -x}; }
NOINLINE float single(float x) { return x / 2; }
NOINLINE bool truth(long x) { return x > 3; }
NOINLINE long double x87(double x) { return (long double)x / 3; }
NOINLINE _Complex long double complex_x87(double x) { return __builtin_complex((long double)x, (long double)x + 1); }
NOINLINE _Complex double complex_double(_Complex double x) { return x * 2; }
NOINLINE _Complex float complex_float(float x) { return __builtin_complex(x, x + 1); }
NOINLINE __int128 wide(__int128 a, __int128 b) { return a * b + 1; }
}
NOINLINE static Nontrivial nontrivial(int n) { return {std::string(n, 'x')}; }

int main() {
  EXPECT_EQ(memory(3).a[4], 7);
  Pair p = pair({1, 2}, {3.5, 4});
  EXPECT(p.a == 6 && p.b == 4);
  EXPECT(mixed(5).d == 5 && mixed(5).l == 6);
  EXPECT(twice(2.5).a == 2.5 && twice(2.5).b == -2.5);
  EXPECT(single(3) == 1.5f && truth(4) && !truth(3));
  EXPECT(x87(9) == 3);
  EXPECT(__real__ complex_x87(3) == 3 && __imag__ complex_x87(3) == 4);
  EXPECT(__imag__ complex_double(__builtin_complex(1.0, 2.0)) == 4);
  EXPECT(__real__ complex_float(3) == 3 && __imag__ complex_float(3) == 4);
  EXPECT_EQ(wide((__int128)1 << 70, 4) >> 64, 256);
  EXPECT_EQ(nontrivial(40).text.size(), 40);
  long k = 3;
  std::function<long(long, std::string)> f = [&](long x, std::string s) { return x * k + (long)s.size(); };
  EXPECT_EQ(f(4, "abc"), 15);
  return failures;
}
