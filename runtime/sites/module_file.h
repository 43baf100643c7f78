// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The file that a module was loaded from. An upgrade puts another file under its name while the
// process runs, and that file's symbols have other addresses: a live patch would replace another
// function than the one that it names.

#pragma once

#include "base/status.h"
#include "sites/mapped_file.h"
#include "sites/module.h"

namespace nophook {

// Maps it. The program's own is found also if it has been deleted or replaced. Errors: ENOENT (it
// cannot be read, or another file has its name).
Status map_module_file(const Module *module, MappedFile *file);

} // namespace nophook
