// A walk along frame pointers inside traced frames meets every caller.
// RUN: %traced_cc -O0 -fno-omit-frame-pointer %s -o %t && %alike --must innermost -- %t
// RUN: %traced_cc -O2 -fno-omit-frame-pointer %s -o %t && %alike --must innermost -- %t
#include "program.h"

void innermost(int), second(int), third(long, long, long, long, long, long, long, int);
static char *const kKnown[] = {(char *)(void *)second, (char *)(void *)third};
struct Frame {
  struct Frame *next;
  char *return_address;
};
UNTRACED NOINLINE static int callers_met(void) {
  unsigned met = 0;
  struct Frame *frame = __builtin_frame_address(0);
  for (int i = 0; i < 12 && frame; i++) {
    for (int k = 0; k < 2; k++)
      if ((size_t)(frame->return_address - kKnown[k]) < 128)
        met |= 1u << k;
    if (frame->next <= frame)
      break;
    frame = frame->next;
  }
  return (int)met;
}
__attribute__((noinline, aligned(128))) void innermost(int n) {
  EXPECT_EQ(callers_met(), 3);
  KEEP(n);
}
__attribute__((noinline, aligned(128))) void second(int n) {
  innermost(n);
  KEEP(n);
}
__attribute__((noinline, aligned(128))) void third(long a, long b, long c, long d, long e, long f, long g, int n) {
  KEEP(&a);
  second(n + (int)(b + c + d + e + f + g));
  KEEP(a);
}

int main(void) {
  third(1, 2, 3, 4, 5, 6, 7, 8);
  return failures;
}
