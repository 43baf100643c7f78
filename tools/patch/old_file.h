// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The program, or the library, that runs: its symbols in the order of their table, so that each can
// be named among several of the same name, and the files that they come from.
//
// A static function's name says nothing about its source. The table does: linkers write a symbol of
// type FILE and behind it the local symbols of that object. So an object is found by the base name
// of its source, and by the names and the code of its local functions.

#pragma once

#include "read/symbols/elf_image.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace nophook {

struct OldSymbol {
  std::string name;   // without the version
  std::string linked; // as in the table: "f@@V1"
  uint64_t address = 0, bytes = 0;
  uint8_t type = 0, binding = 0; // STT_, STB_
  bool is_hidden = false;        // a global one that the linker has made local
  uint32_t group = 0;            // which FILE symbol it is behind; 0: none
  // Among those of the same name, from 1: of functions with the same version, as klp_func has it,
  // and of all symbols, as the names of symbols that a patch uses have it. 0: the only one.
  uint32_t function_position = 0, position = 0;

  bool is_function() const { return type == llvm::ELF::STT_FUNC; }
};

class OldFile {
public:
  // Fails if it is no executable or library, or has no symbol table.
  static Result<OldFile> open(const std::string &path);

  const ElfImage &image() const { return image_; }
  const std::string &path() const { return image_.path(); }
  std::string build_id() const; // lower-case hex; empty: it has none

  // What a patch calls it: "" for the program.
  std::string object_name() const;
  bool is_program() const { return object_name().empty(); }

  // All symbols of this name.
  std::vector<const OldSymbol *> named(const std::string &name) const;

  // The one that an object means by a name that is not local to it; null: none, or several.
  const OldSymbol *global(const std::string &name) const;

  // The local one of an object; null: none.
  const OldSymbol *local(const std::string &name, uint32_t group) const;

  // The groups of objects whose source has this base name.
  std::vector<uint32_t> groups_of(const std::string &base_name) const;
  std::vector<const OldSymbol *> in_group(uint32_t group) const;

  bool has_site(const OldSymbol &function) const;

private:
  explicit OldFile(ElfImage image) : image_(std::move(image)) {}
  using ByName = std::multimap<std::string, size_t>;
  Result<> read_symbols();
  void number(ByName::iterator begin, ByName::iterator end); // symbols of one name

  ElfImage image_;
  std::vector<OldSymbol> symbols_;
  ByName by_name_;
  std::vector<std::string> groups_; // base names, by group
  std::set<uint64_t> sites_;        // starts of functions, or addresses of sites without
};

std::vector<std::string> paths_of(const std::vector<OldFile> &files);

} // namespace nophook
