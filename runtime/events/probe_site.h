// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The objects that a probe's text names: one function, its prototype, data of the program.

#pragma once

#include "base/status.h"
#include "capture/prototype_table.h"

namespace nophook {

struct ProbeSite {
  uint64_t ip = 0; // of its site
  PrototypeTable table;
  const nophook_prototype *prototype = nullptr; // or null: nothing is known
};

// By the function's name, as linked or demangled; no pattern. Under the runtime's lock. Errors:
// EINVAL (no such function), EADDRNOTAVAIL (several), ENOMEM.
Status find_probe_site(const char *function, ProbeSite *site);

// A variable or a function, by its linked name. Under the lock. False: there is none.
bool find_data_symbol(const char *name, uint64_t *address);

} // namespace nophook
