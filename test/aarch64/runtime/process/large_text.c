// Text that no branch crosses, more than 128 MiB of it, is not traced, and a line says why. The program runs.
// RUN: %traced_cc -O1 %s -o %t && %trace -- %t && rm %t.program
// RUN: grep -q "no free memory within reach of the module" %t.buf/*.buf
#include "program.h"

NOINLINE int first(int n) {
  KEEP(&n);
  return n + 1;
}
__asm__(".text\n .space 0x9000000\n");
NOINLINE __attribute__((section(".text.zz"))) int last(int n) {
  KEEP(&n);
  return n + 2;
}

int main(void) {
  EXPECT_EQ(first(1), 2);
  EXPECT_EQ(last(1), 3);
  return failures != 0;
}
