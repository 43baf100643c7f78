// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The debug info of an object's functions, found by place.
//
// A function that the optimizer has cloned (gcc's .constprop, .part, .isra) has the debug info of
// its original. The signature here is then the source's, not the clone's.

#pragma once

#include "analysis/debug_sections.h"

#include "llvm/DebugInfo/DWARF/DWARFContext.h"

#include "llvm/ADT/StringMap.h"

#include <map>
#include <memory>

namespace nophook::analysis {

struct Signature {
  llvm::DWARFDie die;    // the DIE of the code
  llvm::DWARFDie source; // the DIE of name, type and parameters: the same one or its origin
};

class Signatures {
public:
  Signatures() = default;
  // Reads the debug info of `object`. If there is none, or it is damaged, there are no signatures.
  explicit Signatures(const Object &object);

  bool empty() const { return functions_.empty(); }

  // The function whose code begins at `offset` of `section`; null: it is unknown.
  const Signature *at(uint32_t section, uint64_t offset) const;

  // The function of a symbol, defined in this object or only declared in it.
  const Signature *named(llvm::StringRef symbol);

private:
  void read(llvm::DWARFUnit &unit);
  void add(llvm::DWARFDie die);
  void read_names();

  DebugSections sections_; // the context's input
  std::unique_ptr<llvm::DWARFContext> context_;
  std::map<std::pair<uint32_t, uint64_t>, Signature> functions_;
  llvm::StringMap<Signature> named_;
  bool has_names_ = false;
};

} // namespace nophook::analysis
