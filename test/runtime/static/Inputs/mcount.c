// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program's own mcount(): with -O0 the callers have saved what they need.
#include <stdio.h>
void mcount(void);
void mcount(void) { puts("mcount!"); }
