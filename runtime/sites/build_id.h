// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether a file is the one that a module was loaded from.

#pragma once

#include "sites/mapped_file.h"
#include "sites/module.h"

namespace nophook {

// Whether the file has the module's build id. False where the module has none.
bool has_build_id(const MappedFile &file, const Module *module);

// The build id as `file` writes it: lowercase hexadecimal digits. Empty: the module has none.
using BuildIdText = Text<2 * sizeof(Module::build_id) + 1>;
BuildIdText build_id_text(const Module *module);

} // namespace nophook
