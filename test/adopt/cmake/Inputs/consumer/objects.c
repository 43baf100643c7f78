// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
int in_objects(void) { return 0; }
