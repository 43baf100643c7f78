// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The traceable functions of some files, to look up what a user typed before anything runs:
// which functions are meant, and if none is, which have names like it.

#pragma once

#include "read/symbols/elf_image.h"
#include "read/symbols/name_match.h"

#include <deque>
#include <unordered_map>
#include <vector>

namespace nophook {

class NameIndex {
public:
  // The functions of this file that have sites. Its own copies of names are kept, not the file.
  void add(const ElfImage &image);

  bool empty() const { return functions_.empty(); }

  struct Function {
    FunctionNames names;
    uint64_t site; // its address in the file
  };
  struct Found {
    Means how = Means::kNothing;
    std::vector<const Function *> functions;
  };
  Found find(const std::string &typed) const;

  // Names that are like it, the most similar first, at most three: "a, b, c"; or empty.
  std::string nearest(const std::string &typed) const;

private:
  std::deque<Function> functions_; // which stay where they are
  std::unordered_multimap<std::string_view, const Function *> by_name_;
};

// "a, b, c" of the names that are like what was typed, the most similar first.
std::string nearest_names(const std::vector<std::string> &names, const std::string &typed);

} // namespace nophook
