// The stack is aligned in traced functions as the ABI says, and the red zone is theirs.
// RUN: %traced_cc -O0 %s -o %t && %alike --must aligned -- %t
// RUN: %traced_cc -O2 %s -o %t && %alike --must aligned -- %t
#include "program.h"
#include <stdint.h>
#include <xmmintrin.h>

NOINLINE static int aligned(long on_stack[]) {
  _Alignas(16) char here[32];
  __asm__ volatile("movaps %%xmm0, %0" : "=m"(*(__m128 *)here)); // faults when it is not
  KEEP(here);
  return ((uintptr_t)on_stack & 15) == 0;
}
NOINLINE static int over_aligned(void) {
  _Alignas(64) char here[64];
  KEEP(here);
  return ((uintptr_t)here & 63) == 0;
}
NOINLINE static long leaf(long a) { // its locals lie below the stack pointer
  volatile long b[10];
  for (int i = 0; i < 10; i++)
    b[i] = a + i;
  long sum = 0;
  for (int i = 0; i < 10; i++)
    sum += b[i];
  return sum;
}
NOINLINE static int variable(int n) {
  char text[n];
  for (int i = 0; i < n; i++)
    text[i] = (char)i;
  KEEP(text);
  char *more = __builtin_alloca((size_t)n);
  more[n - 1] = text[n - 1];
  return more[n - 1] + aligned((long *)((uintptr_t)more & ~15ul));
}

int main(void) {
  _Alignas(16) long local[2] = {1, 2};
  EXPECT(aligned(local) && over_aligned());
  EXPECT_EQ(leaf(1), 55);
  for (int n = 1; n < 100; n++)
    EXPECT_EQ(variable(n), n);
  return failures;
}
