// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The objects that the loader lists, and what its lookup finds in them for a call.
//
// Valid as a LoadedObject is: within a visit of dl_iterate_phdr(). Under the runtime's lock.

#pragma once

#include "base/memory.h"
#include "base/status.h"
#include "calls/loaded_object.h"

namespace nophook {

class LoadedObjects {
public:
  // Errors: ENOMEM.
  Status read();

  // Null: there is none.
  const LoadedObject *around(uint64_t address) const;
  const LoadedObject *of(const dl_phdr_info *info) const;

  // Whether an auditor may replace addresses of the program.
  bool is_audited() const;

  // What the dynamic linker would store into a slot of `user` for this symbol. Only of objects that
  // were there at the start, which are first in its order and never go. If a later one has the name
  // as well, the scope of the module decides, which is the dynamic linker's secret. False: it is
  // not certain.
  bool define(const LoadedObject &user, const char *name, const char *version,
              uint64_t *target) const;

private:
  static int collect(dl_phdr_info *info, size_t size, void *data);

  Array<LoadedObject> all_; // in the loader's order
  uint64_t at_start_ = 0;   // so many of them cannot go
  bool is_short_ = false;
};

} // namespace nophook
