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
  // Reads the list. Errors: ENOMEM.
  Status read();

  // The object that `address` lies in. Null: there is none.
  const LoadedObject *around(uint64_t address) const;
  const LoadedObject *of(const dl_phdr_info *info) const;

  // Whether an auditor may replace addresses of the program.
  bool is_audited() const;

  // The address that the dynamic linker would store into a slot of `user` for this symbol. Only
  // objects from the start count, which are first in its order and are never unloaded. If a later
  // one has the name as well, the scope of the module decides, which is the dynamic linker's
  // secret. False: it is not certain.
  bool define(const LoadedObject &user, const char *name, const char *version,
              uint64_t *target) const;

private:
  static int collect(dl_phdr_info *info, size_t size, void *data);

  Array<LoadedObject> all_; // all objects, in the loader's order
  uint64_t at_start_ = 0;   // number of the first objects that cannot be unloaded
  bool is_short_ = false;
};

} // namespace nophook
