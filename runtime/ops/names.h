// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The names that a pattern may mean when a symbol has one: as linked, and in programs that
// contain a C++ demangler also demangled, with and without the parameter list, and templates with
// and without the type that they return. ABI tags ([abi:cxx11]) are left out: users do not write
// them, and to a glob they are a class of characters.

#pragma once

#include <stddef.h>
#include <stdint.h>

namespace nophook {

// A symbol's demangled names.
class DemangledNames {
public:
  // Demangles the symbol. A symbol that cannot be demangled has no such names.
  explicit DemangledNames(const char *symbol);
  ~DemangledNames();
  DemangledNames(const DemangledNames &) = delete;
  DemangledNames &operator=(const DemangledNames &) = delete;

  uint32_t count() const { return count_; }
  const char *operator[](uint32_t i) const { return names_[i]; }

private:
  char *full_ = nullptr;
  char *cut_ = nullptr;
  const char *names_[4] = {};
  uint32_t count_ = 0;
};

// Whether the program has a demangler that knows the symbol's kind.
bool can_demangle(const char *symbol);

// Takes "[abi:…]" out of a name, in place.
void cut_abi_tags(char *name);

} // namespace nophook
