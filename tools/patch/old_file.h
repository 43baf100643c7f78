// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The running program, or a library that it has loaded: its symbols in the order of their table, so
// that each can be named among several of the same name, and the files that they come from.
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
  uint8_t type = 0, binding = 0; // STT_ and STB_ constants
  bool is_hidden = false;        // global in an object, made local by the linker
  uint32_t group = 0;            // number of the FILE symbol in front of it; 0: none
  // Positions among the symbols of the same name, from 1; 0: the only one. The first is among
  // functions with the same version, as klp_func has it, the second among all symbols, as in the
  // names of symbols that a patch uses.
  uint32_t function_position = 0, position = 0;

  bool is_function() const { return type == llvm::ELF::STT_FUNC; }
};

class OldFile {
public:
  // Opens a file. Fails if it is no executable or library, or has no symbol table.
  static Result<OldFile> open(const std::string &path);

  const ElfImage &image() const { return image_; }
  const std::string &path() const { return image_.path(); }
  std::string build_id() const; // lower-case hex; empty: none

  // The name of the file in a patch: "" for the program.
  std::string object_name() const;
  bool is_program() const { return object_name().empty(); }

  // All symbols of this name.
  std::vector<const OldSymbol *> named(const std::string &name) const;

  // The symbol that an object means by a name that is not local to it; null: none, or several.
  const OldSymbol *global(const std::string &name) const;

  // The local symbol of an object; null: none.
  const OldSymbol *local(const std::string &name, uint32_t group) const;

  // The groups of objects whose source has this base name.
  std::vector<uint32_t> groups_of(const std::string &base_name) const;
  std::vector<const OldSymbol *> in_group(uint32_t group) const;

  bool has_site(const OldSymbol &function) const;

private:
  explicit OldFile(ElfImage image) : image_(std::move(image)) {}
  using ByName = std::multimap<std::string, size_t>;
  Result<> read_symbols();
  void number(ByName::iterator begin, ByName::iterator end); // numbers the symbols of one name

  ElfImage image_;
  std::vector<OldSymbol> symbols_;
  ByName by_name_;
  std::vector<std::string> groups_; // base names, by group
  std::set<uint64_t> sites_;        // starts of functions, or sites without a function
};

std::vector<std::string> paths_of(const std::vector<OldFile> &files);

} // namespace nophook
