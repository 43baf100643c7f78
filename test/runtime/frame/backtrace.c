// backtrace() inside traced frames names every caller, as untraced.
// RUN: %traced_cc -O0 %s -o %t && %alike --must innermost -- %t
// RUN: %traced_cc -O2 %s -o %t && %alike --must innermost -- %t
// RUN: %t | FileCheck %s
#include "program.h"
#include <execinfo.h>

void innermost(int), second(int), third(long, long, long, long, long, long, long, int);
// The program's own functions on the stack, by comparing with what is known; the runtime's
// frames in between are skipped, unknown ones too.
UNTRACED static void print_stack(void) {
  struct {
    const char *name;
    char *start;
  } known[] = {{"innermost", (char *)(void *)innermost},
               {"second", (char *)(void *)second},
               {"third", (char *)(void *)third}};
  void *stack[64];
  int n = backtrace(stack, 64);
  for (int i = 0; i < n; i++)
    for (int k = 0; k < 3; k++)
      if ((size_t)((char *)stack[i] - known[k].start) < 64)
        printf("%s\n", known[k].name);
}
// At least 64 bytes apart, so that the code above distinguishes them.
__attribute__((noinline, aligned(128))) void innermost(int n) {
  print_stack();
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
// CHECK: innermost
// CHECK-NEXT: second
// CHECK-NEXT: third
