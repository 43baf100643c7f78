// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A module's prototypes, as they lie in memory (nophook/prototype.h). Files are not trusted: every
// record that is returned lies within the table with all its parts.

#pragma once

#include "base/memory.h"
#include "sites/module.h"

#include <nophook/prototype.h>

namespace nophook {

class PrototypeTable {
public:
  // Reads the table. Errors: ENOMEM.
  Status read(Module *module);

  // The prototype with this half of its id. Null: there is none, or there are two.
  const nophook_prototype *find(uint32_t id_low) const;

  static const nophook_parameter *parameters(const nophook_prototype *prototype) {
    return reinterpret_cast<const nophook_parameter *>(prototype + 1);
  }
  static const nophook_piece *pieces(const nophook_prototype *prototype) {
    return reinterpret_cast<const nophook_piece *>(parameters(prototype) + prototype->parameters);
  }

  // The type that a link leads to, or null.
  const nophook_type *type(const int32_t &link) const;
  static const nophook_member *members(const nophook_type *type) {
    return reinterpret_cast<const nophook_member *>(type + 1);
  }

private:
  struct NamedType {
    uint64_t id;
    const nophook_type *type;
  };

  template <class T> const T *record(uint64_t at, uint32_t kind, uint32_t linked) const;
  const nophook_type *whole_type(uint64_t at) const;
  static uint64_t id_of(const nophook_type *type);

  uint64_t start_ = 0, stop_ = 0;
  Array<const nophook_prototype *> sorted_; // prototypes, sorted by half id
  Array<NamedType> types_; // types, likewise; types of the first version have no id
};

} // namespace nophook
