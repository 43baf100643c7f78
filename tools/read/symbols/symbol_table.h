// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Addresses of a file to names: from .symtab, from a separate debug file, or from .dynsym.
//
// Several symbols may stand at one address (aliases, identical functions that the linker has
// folded). Which one is shown must not change from run to run: global before weak before
// local, then the shortest, then the first in the alphabet. An IFUNC comes last: the code at its
// address is not the function of that name, but what chooses it when the file is loaded.

#pragma once

#include "read/symbols/elf_image.h"

namespace nophook {

struct Symbol {
  uint64_t address;
  uint64_t bytes;
  std::string_view name; // as in the file, mangled
  uint8_t rank;          // less is better
  bool is_ifunc;         // the code there is its resolver
};

class SymbolTable {
public:
  // An empty table, if the file has no symbols at all or they are damaged.
  static SymbolTable of(const ElfImage &image);

  // Functions that are in no file: the site of each name has the name's index for its address.
  static SymbolTable of(const std::vector<std::string> &names);

  // The symbol of the function whose site is at `address`: one that contains it or, without a
  // size, begins at most a landing pad before.
  const Symbol *at_site(uint64_t address) const;

  // The symbol that covers `address`.
  const Symbol *covering(uint64_t address) const;

  // Where the next symbol begins, or an address that none has.
  uint64_t end_of(const Symbol &symbol) const;

  // Adds those at whose addresses there is none yet. Their names must live as long as the table.
  void add(const std::vector<Symbol> &symbols);

  bool empty() const { return symbols_.empty(); }
  bool is_whole() const { return is_whole_; } // local functions are in it, too

  // All names of all addresses, also those that the others stand for.
  std::vector<Symbol> all_names() const;

private:
  void add(const ElfImage &image, uint32_t section_type);
  void sort();

  bool is_whole_ = false;
  std::vector<Symbol> symbols_;     // ascending address, one for each address
  std::vector<Symbol> others_;      // of the same addresses
  std::shared_ptr<ElfImage> debug_; // the names lie in its mapping
};

// The demangler recurses. A longer real name is unreadable anyway.
constexpr size_t kMaxMangled = 4096;

// The names for people: C++ and Rust names demangled, without and with their parameters.
std::string short_name(std::string_view symbol);
std::string full_name(std::string_view symbol);

} // namespace nophook
