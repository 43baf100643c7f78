// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of an object by place.

#pragma once

#include "analysis/object.h"

namespace nophook::analysis {

struct Function {
  uint32_t section;
  uint64_t start, end; // offsets within the section
  uint32_t symbol;
};

// Whether calls of `name` are a compiler's.
bool is_mcount(llvm::StringRef name);

class Functions {
public:
  explicit Functions(const Object &object);

  llvm::ArrayRef<Function> all() const { return functions_; }

  // The function that begins exactly at `offset`, contains it, or is the next one behind it in the
  // section; null if there is none.
  const Function *at(uint32_t section, uint64_t offset) const;
  const Function *around(uint32_t section, uint64_t offset) const;
  const Function *after(uint32_t section, uint64_t offset) const;

private:
  std::vector<Function> functions_; // ascending by section and start
};

} // namespace nophook::analysis
