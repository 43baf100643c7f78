// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a call through a slot may be traced, from two sources: the records of the module's objects
// about the function (nophook/prototype.h), and the lists of well-known functions
// (nophook/library_calls.h).

#pragma once

#include "base/memory.h"
#include "base/status.h"
#include "sites/module.h"

#include <nophook/prototype.h>

namespace nophook {

struct ImportKind {
  uint32_t call;      // as in struct nophook_args
  uint32_t prototype; // id of the prototype; 0: unknown
};

class ImportTable {
public:
  // Errors: ENOMEM.
  Status read(Module *module);

  // How a call of `name` may be traced; in doubt, its entry alone.
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
  Array<Row> rows_;    // rows, in the order of their names
  Array<Flags> flags_; // flags, in the order of their ids
};

} // namespace nophook
