// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The module object for linkers that read no script of our kind (gold, mold): see module.S.

#define NOPHOOK_BY_NAME
#include "module.S"
