// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The traceable functions of some files, to look up a user's text before anything runs: the
// functions that it means or, if there are none, similar names.

#pragma once

#include "read/symbols/elf_image.h"
#include "read/symbols/name_match.h"

#include <deque>
#include <unordered_map>
#include <vector>

namespace nophook {

class NameIndex {
public:
  // Adds the functions of this file that have sites. Names are copied, and the file is not kept.
  void add(const ElfImage &image);

  bool empty() const { return functions_.empty(); }

  struct Function {
    FunctionNames names;
    uint64_t site; // address of the site in the file
  };
  struct Found {
    Means how = Means::kNothing;
    std::vector<const Function *> functions;
  };
  Found find(const std::string &typed) const;

  // The most similar names first, at most three: "a, b, c"; or empty.
  std::string nearest(const std::string &typed) const;

private:
  std::deque<Function> functions_; // a container whose elements keep their addresses
  std::unordered_multimap<std::string_view, const Function *> by_name_;
};

// The names that are like the typed one, the most similar first: "a, b, c".
std::string nearest_names(const std::vector<std::string> &names, const std::string &typed);

} // namespace nophook
