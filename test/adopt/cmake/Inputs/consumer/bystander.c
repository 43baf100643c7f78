// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
int in_fixed(void);
int main(void) { return in_fixed(); }
