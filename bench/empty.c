// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A shared library that does nothing, to measure the cost of loading any library.

int bench_empty(void);
int bench_empty(void) {
  return 0;
}
