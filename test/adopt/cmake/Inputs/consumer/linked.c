// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nothing of it refers to the runtime, though it could.
#include <ftrace.h>
int main(void) { return 0; }
