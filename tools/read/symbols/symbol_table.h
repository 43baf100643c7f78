// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Addresses of a file to names: from .symtab, from a separate debug file, or from .dynsym.
//
// Several symbols may stand at one address (aliases, identical functions that the linker has
// folded). The shown one must not change from run to run: global before weak before local, then the
// shortest, then the first in the alphabet. An IFUNC comes last: the code at its address is not the
// function of that name, but the resolver that chooses it when the file is loaded.

#pragma once

#include "read/symbols/elf_image.h"

namespace nophook {

struct Symbol {
  uint64_t address;
  uint64_t bytes;
  std::string_view name; // as in the file, mangled
  uint8_t rank;          // rank; less is better
  bool is_ifunc;         // whether the code there is a resolver
};

class SymbolTable {
public:
  // Reads a table; it is empty if the file has no symbols at all or they are damaged.
  static SymbolTable of(const ElfImage &image);

  // A table of functions that are in no file: the site of each name has the name's index for its
  // address.
  static SymbolTable of(const std::vector<std::string> &names);

  // The symbol of the function whose site is at `address`: one that contains it or, without a
  // size, begins at most a landing pad before.
  const Symbol *at_site(uint64_t address) const;

  // The symbol that covers `address`.
  const Symbol *covering(uint64_t address) const;

  // The start of the next symbol, or an address that no symbol has.
  uint64_t end_of(const Symbol &symbol) const;

  // Adds symbols at addresses that have none yet. Their names must live as long as the table.
  void add(const std::vector<Symbol> &symbols);

  bool empty() const { return symbols_.empty(); }
  bool is_whole() const { return is_whole_; } // whether local functions are in it, too

  // All names of all addresses, including the ones that are not shown.
  std::vector<Symbol> all_names() const;

private:
  void add(const ElfImage &image, uint32_t section_type);
  void sort();

  bool is_whole_ = false;
  std::vector<Symbol> symbols_;     // symbols by ascending address, one for each address
  std::vector<Symbol> others_;      // other symbols of the same addresses
  std::shared_ptr<ElfImage> debug_; // file whose mapping has the names
};

// Longest name that is demangled: the demangler recurses, and a longer real name is unreadable.
constexpr size_t kMaxMangled = 4096;

// Demangled C++ and Rust names: without and with their parameters.
std::string short_name(std::string_view symbol);
std::string full_name(std::string_view symbol);

} // namespace nophook
