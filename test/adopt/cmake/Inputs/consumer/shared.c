// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
int in_shared(void) { return 0; }
