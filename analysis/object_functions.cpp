// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/object_functions.h"

#include "llvm/ADT/STLExtras.h"

#include <tuple>

namespace nophook::analysis {

Functions::Functions(const Object &object) {
  for (uint32_t i = 1; i < object.symbols().size(); i++) {
    const Elf::Sym &symbol = object.symbols()[i];
    const uint32_t section = object.section_of(i);
    const bool is_code =
        symbol.getType() == llvm::ELF::STT_FUNC || symbol.getType() == llvm::ELF::STT_GNU_IFUNC;
    if (section && is_code)
      functions_.push_back({section, symbol.st_value, symbol.st_value + symbol.st_size, i});
  }
  // Among aliases, a global name comes first: globals are behind locals in the symbol table.
  llvm::sort(functions_, [](const Function &a, const Function &b) {
    return std::tuple(a.section, a.start, b.symbol) < std::tuple(b.section, b.start, a.symbol);
  });
  // Assembly may leave the size out: such a function ends where the next one begins.
  for (Function &function : functions_) {
    if (function.end != function.start)
      continue;
    const Function *next = after(function.section, function.start);
    function.end = next ? next->start : object.sections()[function.section].sh_size;
  }
}

const Function *Functions::after(uint32_t section, uint64_t offset) const {
  auto next = llvm::upper_bound(functions_, std::tuple(section, offset),
                                [](const auto &place, const Function &function) {
                                  return place < std::tuple(function.section, function.start);
                                });
  return next != functions_.end() && next->section == section ? &*next : nullptr;
}

const Function *Functions::at(uint32_t section, uint64_t offset) const {
  auto first = llvm::lower_bound(functions_, std::tuple(section, offset),
                                 [](const Function &function, const auto &place) {
                                   return std::tuple(function.section, function.start) < place;
                                 });
  return first != functions_.end() && first->section == section && first->start == offset ? &*first
                                                                                          : nullptr;
}

const Function *Functions::around(uint32_t section, uint64_t offset) const {
  auto next = llvm::upper_bound(functions_, std::tuple(section, offset),
                                [](const auto &place, const Function &function) {
                                  return place < std::tuple(function.section, function.start);
                                });
  if (next == functions_.begin() || std::prev(next)->section != section)
    return nullptr;
  const Function *function = at(section, std::prev(next)->start);
  return offset < function->end || function->start == offset ? function : nullptr;
}

bool is_mcount(llvm::StringRef name) {
  return name == "mcount" || name == "_mcount" || name == "__fentry__";
}

} // namespace nophook::analysis
