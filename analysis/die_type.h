// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A type of DWARF, in the interface that prototypes/debug_type.h needs.
//
// Types have the names that clang gives them: gcc's `long unsigned int` is `unsigned long`.

#pragma once

#include "prototypes/debug_type.h"

#include "llvm/DebugInfo/DWARF/DWARFDie.h"

namespace nophook::analysis {

using namespace prototypes;

class DieType {
public:
  DieType(llvm::DWARFDie die = {}) : die_(die) {}

  explicit operator bool() const { return die_.isValid(); }
  llvm::DWARFDie die() const { return die_; }
  const void *key() const { return die_.getDebugInfoEntry(); }
  unsigned tag() const { return die_.getTag(); }
  unsigned encoding() const;
  std::string name() const;
  std::string scope() const;
  uint64_t bytes() const { return bytes(0); }
  DieType base() const;
  DieType class_type() const;
  bool is_vector() const;
  bool is_declaration() const;
  llvm::SmallVector<int64_t, 2> bounds() const;
  llvm::SmallVector<DieType, 8> parameters() const;
  bool is_variadic() const;
  DebugMembers<DieType> members(unsigned limit) const;
  llvm::SmallVector<DebugEnumerator, 8> enumerators(unsigned limit) const;
  llvm::StringRef identifier() const;
  // The cases of a Rust enum, without those beyond `limit`; nothing: it is no such enum.
  std::optional<DebugVariants<DieType>> variants(unsigned limit) const;

private:
  uint64_t bytes(unsigned depth) const;

  llvm::DWARFDie die_;
};

// The type that a DIE names; an invalid DIE if it names none or one that does not exist.
llvm::DWARFDie type_of(llvm::DWARFDie die);

// The parameters of a function or of its type, in order. gcc keeps the parameters of a pack in a
// DIE of their own among the others.
llvm::SmallVector<llvm::DWARFDie, 8> formal_parameters(llvm::DWARFDie function);

// The DIE's own name, or empty.
llvm::StringRef name_of(llvm::DWARFDie die);

// The first bit of a member of `bits` bits (0: all of its type), if it has a fixed place.
std::optional<uint64_t> bit_of(llvm::DWARFDie member, uint64_t bits);

uint64_t number_of(llvm::DWARFDie die, llvm::dwarf::Attribute attribute, uint64_t otherwise);

} // namespace nophook::analysis
