// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The prototypes of a file (nophook/prototype.h), read and checked.

#pragma once

#include "read/symbols/descriptor_tables.h"

#include <nophook/prototype.h>

#include <memory>
#include <optional>
#include <unordered_map>

namespace nophook {

struct Type;

struct TypeMember {
  std::string_view name;
  const Type *type = nullptr; // null for enumerators
  uint64_t value = 0;         // value of an enumerator
  uint32_t bit = 0, bits = 0; // place of a field in bits
};

struct Type {
  uint8_t kind = NOPHOOK_KIND_OPAQUE;
  bool has_more = false;    // whether there are members that are not listed
  bool has_default = false; // for a variant: whether the last case is that of all other numbers
  uint64_t bytes = 0;
  std::string_view name;
  const Type *element = nullptr;
  std::vector<TypeMember> members;
};

struct PlacedPiece {
  uint32_t place;
  uint32_t at, bytes;
};

// A parameter or a return value.
struct PlacedValue {
  std::string_view name;
  const Type *type = nullptr; // null: void, or unknown
  uint32_t place = 0;
  std::vector<PlacedPiece> pieces; // pieces of the value, if `place` refers to them
};

struct Prototype {
  uint64_t id = 0;
  uint32_t flags = 0; // flags and convention
  PlacedValue result;
  std::vector<PlacedValue> parameters;
};

class Prototypes {
public:
  Prototypes() = default;
  explicit Prototypes(DescriptorTables tables);

  // The prototype with this half id of a descriptor. Null: there is none, or there are two.
  const Prototype *find(uint32_t id_low) const;

  // The prototype of a function that the file calls elsewhere (struct nophook_import), by its
  // linked name.
  const Prototype *of_import(const std::string &name) const;

  // The records of the file's objects about such a function; several may differ.
  std::vector<nophook_import> imports(const std::string &name) const;

  // The first damage, with its place; or empty. The rest can be used.
  const std::string &damage() const { return damage_; }

  size_t size() const { return prototypes_.size(); }

private:
  using Offset = size_t; // offset in the table

  bool check(bool is_good, Offset at, const char *problem);
  uint32_t word(Offset at) const;
  std::string_view text(Offset link);
  std::optional<Offset> type_at(Offset link) const;
  void name_type(Offset at, size_t bytes);
  template <class Visit> void each_record(Visit visit);
  const Type *type(Offset link, unsigned depth);
  bool read_type(Offset at, Type *type, unsigned depth);
  void read_prototype(Offset at, size_t bytes);
  void read_import(Offset at, size_t bytes);

  DescriptorTables tables_;
  std::unordered_map<uint32_t, Prototype> prototypes_;
  std::unordered_map<uint32_t, bool> ambiguous_;
  struct NamedType {
    Offset at;
    uint32_t id_high;
    bool is_ambiguous; // whether two types have this half id
  };
  std::unordered_map<uint32_t, NamedType> types_by_id_; // types by half id
  std::unordered_multimap<std::string, nophook_import> imports_;
  // Types by offset; null: damaged, or being read.
  std::unordered_map<Offset, std::unique_ptr<Type>> types_;
  std::string damage_;
};

// A declaration such as `long add(int a, const char *text)`; without names the known parts.
std::string declaration(const Prototype &prototype, const std::string &function);

// The text of a place: "rdi", "xmm0", "stack+8", "*rsi", "rax:rdx", "unknown", …; on AArch64 "x0",
// "v0", … `processor` is the file's (foundation/processor.h).
std::string place_text(const PlacedValue &value, uint32_t processor);

const char *convention_text(const Prototype &prototype);

const char *kind_text(const Type &type); // "signed", "struct", …

struct PrototypeFlag {
  uint32_t bit;
  const char *name;
};
inline constexpr PrototypeFlag kPrototypeFlags[] = {
    {NOPHOOK_PROTOTYPE_VARIADIC, "variadic"},
    {NOPHOOK_PROTOTYPE_NO_SOURCE, "no_source"},
    {NOPHOOK_PROTOTYPE_HAS_NEST, "has_nest"},
    {NOPHOOK_PROTOTYPE_RETURNS_TWICE, "returns_twice"},
    {NOPHOOK_PROTOTYPE_NEVER_RETURNS, "never_returns"},
    {NOPHOOK_PROTOTYPE_CAN_UNWIND, "can_unwind"},
    {NOPHOOK_PROTOTYPE_READS_CALLER, "reads_caller"},
};

} // namespace nophook
