// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds symbols that cannot have a name, without demangling them.
//
// A demangled name is made of parts of the symbol: the name `app::Store<17>::get` can only
// be that of a symbol with `3app`, `5Store`, `3get` and `17E` in it. So one such part of each
// wanted name is its key, and only symbols that have a key among their parts are demangled. Words
// that a demangler adds by itself (`int`, `std::`, `operator`) cannot be keys.
//
// A false match costs a demangling; a missed one would lose a function. So every place of a symbol
// where a part could begin is checked.

#pragma once

#include "base/memory.h"

#include <stddef.h>
#include <stdint.h>

namespace nophook {

class NameKeys {
public:
  NameKeys() = default;
  NameKeys(const NameKeys &) = delete;
  NameKeys &operator=(const NameKeys &) = delete;

  void clear();
  void release(); // removes all names, and gives all memory back

  // Counts the parts of a wanted name; each name is passed to count() before any is to add().
  void count(const char *name);

  // Adds a name: the part of it that the fewest names have is its key. A name without parts may be
  // that of every symbol.
  void add(const char *name);

  // Whether a name that was added may be that of the symbol, `bytes` long.
  bool may_mean(const char *symbol, size_t bytes) const;

private:
  static constexpr uint64_t kBits = 1 << 16;

  struct Part {
    uint64_t hash; // hash of the part; 0: the place is free
    uint32_t count;
    bool is_key;
  };

  template <class Visit> static void each_part(const char *name, Visit visit);
  void make_table();
  Part *find(uint64_t hash) const;
  bool is_key(uint64_t hash) const;

  bool takes_all_ = false;
  Array<uint64_t> counted_;        // hashes of parts, until they are in the table
  Array<Part> parts_;              // table of parts, by hash
  uint64_t keys_[kBits / 64] = {}; // bits of hashes: a part whose bit is 0 is not in the table
};

} // namespace nophook
