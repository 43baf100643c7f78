// A program that makes hardly a system call is attached to while it runs; its registers, also those of vectors, and errno are what they would be.
// REQUIRES: ptrace
// RUN: %traced_cc -O2 -mavx2 %s -o %t && rm -rf %t.run && mkdir %t.run
// RUN: env XDG_RUNTIME_DIR=%t.run %python %inputs/once.py %nophook %t %t.run %rounds
#include "turns.h"
typedef double Lanes __attribute__((vector_size(32)));
// Takes a few milliseconds, in registers alone.
__attribute__((noinline)) static double sum(long count) {
  Lanes a = {1, 2, 3, 4}, b = {5, 6, 7, 8}, c = {9, 10, 11, 12};
  unsigned long whole = 1;
  for (long i = 0; i < count; i++) {
    a = a * 0.999 + b, b = b * 0.998 + c * 0.001, c = c * 0.997 + a * 0.002;
    whole = whole * 6364136223846793005ul + (unsigned long)i;
    __asm__ volatile("" : "+x"(a), "+x"(b), "+x"(c), "+r"(whole));
  }
  return a[0] + a[1] + b[2] + c[3] + (double)(whole >> 32);
}
int main(int count, char **arguments) {
  MUST(count == 2);
  open_turns(arguments[1]);
  const double wanted = sum(100000);
  for (;;) {
    errno = 4711;
    for (int i = 0; i < 64; i++) {
      MUST(sum(100000) == wanted && errno == 4711);
      turn();
    }
    if (has_input_ended())
      return 0;
  }
}
