// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
extern "C" int in_fixed(void) { return 0; }
