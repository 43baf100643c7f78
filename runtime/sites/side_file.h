// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sites/module.h"

namespace nophook {

// The descriptors of a module that keeps them in its file, unloaded (`descriptors=file`), or in
// its debug file: a copy in memory of our own, which the caller unmaps. {null, null}: there are
// none, or they are not of this very build. Cold code: reads files.
ArgsRange read_side_args(const Module *module);

} // namespace nophook
