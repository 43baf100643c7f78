// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The names that a pattern may mean when a symbol has one: as linked, and in programs that
// contain a C++ demangler also demangled, with and without the parameter list, and templates with
// and without the type that they return.

#pragma once

#include <stddef.h>

namespace nophook {

// One symbol's names, demangled at most once whatever the number of patterns.
class Names {
public:
  // `symbol` must outlive this.
  explicit Names(const char *symbol) : symbol_(symbol) {}
  ~Names();
  Names(const Names &) = delete;
  Names &operator=(const Names &) = delete;

  bool match(const char *glob);

private:
  const char *symbol_;
  char *full_ = nullptr;
  char *cut_ = nullptr;
  size_t type_bytes_ = 0; // of both
};

} // namespace nophook
