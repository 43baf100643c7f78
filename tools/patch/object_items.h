// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The code and data that a compiler has made of one source file, function by function and variable
// by variable, so that two versions of the file can be compared.
//
// The object must have been compiled with -ffunction-sections and -fdata-sections: then a section
// is one function or variable, and nothing in it depends on its neighbours. An item is normalised:
// the fields that a linker fills are zero, and each has a Reference by name. Strings and constants
// that linkers merge are compared by their contents, because their labels are numbers that any
// other change renumbers. So are clang's and gcc's numbers of local items (`name.1`): they are
// counted from 0 among the items of that name.

#pragma once

#include "foundation/result.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace nophook {

// A place in an item that a linker fills. A reference behind the end of a function, of type 0,
// leads to its exception table.
struct Reference {
  uint64_t offset; // in the item
  uint32_t type;   // the relocation's
  int64_t addend;
  std::string target; // name of an item or an outside symbol; or "string" and its contents
  bool operator==(const Reference &) const = default;
};

struct ObjectItem {
  enum class Kind {
    kFunction,
    kConstant,    // never written
    kVariable,    // with an initial value, which may be zero
    kThreadLocal, // a variable that each thread has
    kStartup      // a list of functions to run before main() or at exit
  };
  Kind kind = Kind::kFunction;
  std::string symbol; // its first symbol, with the compiler's number; empty: none
  bool is_local = false;
  bool is_named = true; // false: a table made by the compiler, with its section's name
  uint64_t size = 0, alignment = 1;
  std::string bytes; // empty: all bytes are zero
  std::vector<Reference> references;
};

// The items by linked name. An item with several names has the first one in order; the others are
// in `aliases`.
struct ObjectItems {
  std::map<std::string, ObjectItem> items;
  std::map<std::string, std::string> aliases;
  std::map<std::string, unsigned> numbered; // `name`: number of items called `name.NUMBER`
};

// Reads the items. Fails if the file is no relocatable object for a CPU of machine/, is damaged, or
// has several functions or variables in one section.
Result<ObjectItems> read_object_items(const std::string &path);

} // namespace nophook
