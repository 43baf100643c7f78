// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions that an object uses and does not define, by its relocations: the ones that it
// calls, and the ones whose address it takes (struct nophook_import, include/nophook/prototype.h).
//
// The code behind a relocation shows it: `call f` and `call *f@GOTPCREL(%rip)` are calls, all other
// code may take the address. An object does not show whether a symbol is a function; no reader uses
// a record of data.

#pragma once

#include "analysis/object.h"

namespace nophook::analysis {

struct ImportUse {
  llvm::StringRef name;
  uint32_t flags; // enum nophook_import_flags
};

// The uses, ascending by symbol, each once. The compilers' calls of mcount are left out.
std::vector<ImportUse> find_imports(const Object &object);

} // namespace nophook::analysis
