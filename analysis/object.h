// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A relocatable object, as far as recordmcount reads it.
//
// LLVM's reader gives each table with its bounds checked; the references between tables are left to
// its user. All of them are checked here, once: afterwards every index that an Object hands out is
// one that it has. An object is refused if an assembler never writes its like, or if an edit would
// change two things at once (sections that share bytes, a section in two groups).

#pragma once

#include "machine/machine.h"

#include "llvm/Object/ELF.h"

#include <vector>

namespace nophook::analysis {

using Elf = llvm::object::ELF64LE;
using ElfFile = llvm::object::ELFFile<Elf>;
using Bytes = llvm::ArrayRef<uint8_t>;

// An error as `PLACE: PROBLEM`; the caller that knows the file puts its name in front.
llvm::Error error_in(const llvm::Twine &place, const llvm::Twine &problem);

class Object {
public:
  // `image` must outlive the object. Fails if it is no 64-bit little-endian relocatable ELF
  // object for a CPU of machine/, or a damaged one.
  static llvm::Expected<Object> parse(llvm::StringRef image);

  llvm::StringRef image() const { return image_; }
  const Machine &machine() const { return *find_machine(file_->getHeader().e_machine); }
  const ElfFile &elf() const { return *file_; }

  llvm::ArrayRef<Elf::Shdr> sections() const { return sections_; }
  llvm::StringRef name(uint32_t section) const { return names_[section]; }
  Bytes contents(uint32_t section) const; // empty for sections without bytes in the file
  uint32_t group_of(uint32_t section) const { return groups_[section]; } // 0: none
  uint32_t section_names() const { return section_names_; }

  // The section's name in an error message.
  std::string place(uint32_t section) const;

  // The one symbol table; 0 and empty if there is none.
  uint32_t symbol_table() const { return symbol_table_; }
  llvm::ArrayRef<Elf::Sym> symbols() const { return symbols_; }
  llvm::StringRef symbol_name(const Elf::Sym &symbol) const;
  uint32_t section_of(uint32_t symbol) const; // 0 if it is not defined in a section
  uint32_t extended_indexes() const { return extended_indexes_; } // SHT_SYMTAB_SHNDX or 0

  // The relocations of a SHT_RELA section that belong to this symbol table.
  llvm::ArrayRef<Elf::Rela> relocations(uint32_t section) const;

private:
  llvm::Error read_sections();
  llvm::Error read_symbols();
  llvm::Error read_groups();
  llvm::Error check_overlap() const;
  llvm::Error check_relocations() const;

  llvm::StringRef image_;
  std::optional<ElfFile> file_;
  llvm::ArrayRef<Elf::Shdr> sections_;
  std::vector<llvm::StringRef> names_;
  std::vector<uint32_t> groups_;
  uint32_t section_names_ = 0;
  uint32_t symbol_table_ = 0, extended_indexes_ = 0;
  llvm::ArrayRef<Elf::Sym> symbols_;
  llvm::StringRef symbol_names_;
  llvm::ArrayRef<Elf::Word> extended_;
};

} // namespace nophook::analysis
