// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The smallest program worth tracing: README.md builds and records it. `noinline` keeps the
// functions apart; a function that the compiler inlines everywhere has no entry to trace.
#include <stdio.h>

__attribute__((noinline)) static int leaf(int n) {
  return n * 3;
}

__attribute__((noinline)) static int branch(int n) {
  int sum = 0;
  for (int i = 0; i < n; i++)
    sum += leaf(i);
  return sum;
}

int main(void) {
  printf("%d\n", branch(2) + branch(3));
  return 0;
}
