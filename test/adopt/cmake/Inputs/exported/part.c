// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
int part(int a) { return a + 1; }
