// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The names that a recording has of its own, one module at a time.
//
// A recording is read after the next `make`, after `rm`, and on another machine. Events have
// addresses alone, so `parse(line="GET /")` became `server+0x1210(0x55d0c0)`. The recorder
// therefore writes, at the end, what a reader looks up in the module's file: symbols, prototypes
// and source lines, of the functions that were recorded and of those that called them. That is some
// kilobytes for a program, because a function that was never called takes nothing.
//
// A reader prefers the file if it is still the recorded one: it has more.

#pragma once

#include "read/symbols/prototypes.h"
#include "read/symbols/source_lines.h"
#include "read/symbols/symbol_table.h"

#include <deque>
#include <map>

namespace nophook {

class RecordedNames {
public:
  std::string path;
  std::vector<uint8_t> build_id;
  uint64_t content = 0; // hash of the file (XXH3), if it has no build-id; else 0

  std::vector<std::pair<uint64_t, uint64_t>> ranges; // loaded segments, by linked addresses

  const std::vector<Symbol> &symbols() const { return symbols_; }
  const Prototype *prototype(uint64_t site) const; // null: unknown
  const SourceLine *line(uint64_t site) const;     // null: unknown
  const Prototype *of_import(const std::string &name) const;

  // Adds a symbol. All texts are copied. A prototype is kept once, however often it is added.
  void add_symbol(const Symbol &symbol);
  void add_line(uint64_t site, const SourceLine &line) { lines_[site] = line; }
  void add_prototype(uint64_t site, const Prototype &prototype);
  void add_import(const std::string &name, const Prototype &prototype);

  bool empty() const { return symbols_.empty(); }

  std::vector<uint8_t> encode() const;
  // Decodes the names. Null: the bytes are damaged. They come from a file that anyone may have
  // written.
  static std::unique_ptr<RecordedNames> decode(std::span<const uint8_t> bytes);

private:
  std::string_view keep(std::string_view text) { return texts_.emplace_back(text); }
  const Type *copy(const Type *type);
  const Prototype *copy(const Prototype &prototype);

  std::deque<std::string> texts_;
  std::deque<Type> types_; // types, each behind those that it refers to
  std::deque<Prototype> prototypes_;
  std::vector<Symbol> symbols_;
  std::map<uint64_t, SourceLine> lines_;
  std::map<uint64_t, const Prototype *> by_site_;
  std::map<std::string, const Prototype *> imports_;
  std::map<const Type *, const Type *> copies_;           // copies of the file's types
  std::map<const Prototype *, const Prototype *> copied_; // copies of the file's prototypes
};

} // namespace nophook
