// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two threads, exceptions, tail calls, and values of each kind that a text is made of.
#include <cstdio>
#include <string>
#include <thread>

#define KEPT __attribute__((noinline))
struct Point { short x; float y; };
KEPT long leaf(long n) { __asm__ volatile("" : "+r"(n)); return n; }
KEPT long double wide(long double a, float b, const char *text) { __asm__ volatile("" ::"r"(text)); return a * b; }
KEPT Point point(Point at, char c, unsigned char byte, bool is) { return {(short)(at.x + c + byte + is), at.y}; }
KEPT __int128 large(__int128 a) { __asm__ volatile("" ::: "memory"); return a * a; }
KEPT int thrower(int n) { if (n == 3) throw n; return (int)leaf(n); }
KEPT int work(int k) {
  int sum = 0;
  for (int i = 0; i < 50; i++) {
    try {
      sum += thrower(i % 5) + (int)wide(0.1L * i, 2.5f, "a \xc3\xa4 \xff text") + point({(short)i, 1.5f}, (char)(i * 5), 200, i & 1).x;
      sum += (int)large((__int128)i << 70);
    } catch (int n) {
      sum -= n;
    }
  }
  return sum + k;
}
int main() {
  std::thread thread(work, 1);
  thread.join();
  return work(2) == 0;
}
