// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Descriptors that were split from the program, as debug information often is.

#pragma once

#include "sites/module.h"

namespace nophook {

// The descriptors and prototypes of a module that keeps them in its file, unloaded
// (`descriptors=file`), or in its debug file: copies in memory of our own, which the caller
// unmaps. Nothing: there are none, or they are not of this very build. Cold code: reads files.
SideTables read_side_tables(const Module *module);

} // namespace nophook
