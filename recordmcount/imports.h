// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions that an object uses and does not define, by its relocations: which it calls, and
// of which it takes the address (struct nophook_import, include/nophook/prototype.h).
//
// The code behind a relocation shows it: `call f` and `call *f@GOTPCREL(%rip)` are calls, all else
// may take the address. An object does not say whether a symbol is a function; a record of data is
// used by nobody.

#pragma once

#include "object.h"

namespace nophook {

struct ImportUse {
  llvm::StringRef name;
  uint32_t flags; // enum nophook_import_flags
};

// Ascending by symbol, each once. Without the compilers' calls of mcount.
std::vector<ImportUse> find_imports(const Object &object);

} // namespace nophook
