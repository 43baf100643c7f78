// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
int part(int a); int main(void) { return part(-1); }
