// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Local symbols for sections of code that have none, and the changes that these require.

#pragma once

#include "analysis/object.h"

#include <map>

namespace nophook::recordmcount {

using namespace analysis;

// A local symbol in each of some sections: an existing one, or a section symbol to be added.
class SectionSymbols {
public:
  SectionSymbols() = default;
  SectionSymbols(const Object &object, const std::vector<uint32_t> &sections);

  // The sections whose symbols must be added, in this order, behind the last local symbol.
  const std::vector<uint32_t> &added() const { return added_; }

  // The number that the symbol will have, and its offset in the section.
  std::pair<uint32_t, uint64_t> symbol_of(uint32_t section) const { return symbols_.at(section); }

private:
  std::map<uint32_t, std::pair<uint32_t, uint64_t>> symbols_;
  std::vector<uint32_t> added_;
};

// A symbol to be added: a local symbol of a section, or a global one.
struct NewSymbol {
  Elf::Sym symbol; // without its section
  uint32_t section;
};
NewSymbol section_symbol(uint32_t section);

// Inserts local symbols behind the local ones, puts global ones at the end, and renumbers the old
// global ones wherever the object names them.
class Renumbering {
public:
  Renumbering(const Object &object, llvm::ArrayRef<NewSymbol> locals,
              llvm::ArrayRef<NewSymbol> globals)
      : object_(object), locals_(locals), globals_(globals) {}

  // Changes relocations in place in `image`, a copy of the object's beginning, and the numbers in
  // `headers`, to which a table of section numbers may be added. Sections that change their size
  // are in rewritten() afterwards.
  llvm::Error run(std::vector<uint8_t> &image, std::vector<Elf::Shdr> &headers);

  struct Rewritten {
    uint32_t section;
    std::vector<uint8_t> bytes;
  };
  const std::vector<Rewritten> &rewritten() const { return rewritten_; }

private:
  uint32_t renumbered(uint32_t symbol) const {
    return symbol < first_global_ ? symbol : symbol + locals_.size();
  }
  void rewrite_symbols(std::vector<Elf::Shdr> &headers);
  llvm::Error rewrite_addrsig(uint32_t section);

  const Object &object_;
  const llvm::ArrayRef<NewSymbol> locals_, globals_;
  uint32_t first_global_ = 0;
  std::vector<Rewritten> rewritten_;
};

} // namespace nophook::recordmcount
