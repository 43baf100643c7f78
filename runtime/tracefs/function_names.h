// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The names of a module's functions, for lists. They are read from its file for the time of one
// list: sites/symbols.h explains why no names are kept.

#pragma once

#include "ops/hash.h"
#include "sites/module.h"

namespace nophook {

class FunctionNames {
public:
  // Reads the names of the functions that `wanted` has; null: all. Hold the runtime's lock. Errors:
  // ENOMEM; a module without usable symbols is no error: its functions have no names.
  Status read(const Module *module, const FtraceHash *wanted);

  // The linked name, without spaces: a filter accepts it, and it distinguishes overloads of C++.
  // Null: it has none. If it has two names, it is the one that is first in the symbol table.
  const char *of(uint32_t index) const { return at_[index] ? &names_[at_[index] - 1] : nullptr; }

private:
  static void take(void *self, const char *name, uint64_t address, uint64_t bytes);
  bool keep(uint32_t index, const char *name);

  const Module *module_ = nullptr;
  const FtraceHash *wanted_ = nullptr;
  Array<char> names_;
  Array<uint32_t> at_; // by record: 1 + offset of its name; 0: none
  bool is_short_ = false;
};

} // namespace nophook
