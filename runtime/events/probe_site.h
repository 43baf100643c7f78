// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The objects that a probe's text names: one function, its prototype, data of the program.

#pragma once

#include "base/status.h"
#include "capture/prototype_table.h"

namespace nophook {

struct ProbeSite {
  uint64_t ip = 0; // address of its site
  PrototypeTable table;
  const nophook_prototype *prototype = nullptr; // prototype of the function, or null: unknown
};

// Finds the site of the function `function`, a linked or demangled name; no pattern. Under the
// runtime's lock. Errors: EINVAL (no such function), EADDRNOTAVAIL (several), ENOMEM.
Status find_probe_site(const char *function, ProbeSite *site);

// Finds a variable or a function by its linked name. Under the lock. False: there is none.
bool find_data_symbol(const char *name, uint64_t *address);

} // namespace nophook
