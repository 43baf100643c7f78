// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A shared library that does nothing: what the loading of any library costs.

int bench_empty(void);
int bench_empty(void) {
  return 0;
}
