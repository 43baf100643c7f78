// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a call through a slot may be traced: what the module's objects say of the function
// (nophook/prototype.h), and lists of functions that say it of themselves.

#pragma once

#include "base/memory.h"
#include "base/status.h"
#include "sites/module.h"

#include <nophook/prototype.h>

namespace nophook {

struct ImportKind {
  uint32_t call;      // as in struct nophook_args
  uint32_t prototype; // 0: unknown
};

class ImportTable {
public:
  // Errors: ENOMEM.
  Status read(Module *module);

  // In doubt entry alone.
  ImportKind kind_of(const char *name) const;

  // The enum nophook_import_flags of all records of the function, or-ed. 0: there is none.
  uint32_t flags_of(const char *name) const;

private:
  uint64_t first_of(const char *name) const;
  const char *name_of(const nophook_import *import) const;
  bool never_returns(uint32_t prototype) const;

  struct Row {
    const char *name;
    const nophook_import *import;
  };
  struct Flags {
    uint32_t id_low, flags;
  };
  TableBounds bounds_ = {}, memory_ = {};
  Array<Row> rows_;    // ascending names
  Array<Flags> flags_; // ascending ids
};

} // namespace nophook
