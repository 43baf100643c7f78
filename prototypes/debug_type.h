// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A type of the debug info, in either of its two forms.
//
// The plugin has LLVM's metadata, recordmcount has DWARF. Both have the same contents in the same
// terms. So the code that uses a type (source_types.h, type_names.h) is written once, for a `Type`
// that is a small handle with the members that are listed here.

#ifndef NOPHOOK_PROTOTYPES_DEBUG_TYPE_H
#define NOPHOOK_PROTOTYPES_DEBUG_TYPE_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/BinaryFormat/Dwarf.h"

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>

namespace nophook::prototypes {

// A data member or a base class that has a fixed place.
template <class Type> struct DebugMember {
  std::string name;
  Type type;
  uint64_t bit;  // offset of the member in bits, from the lowest bit of the first byte
  uint64_t bits; // bits of a bit-field; 0: all of its type
  bool is_base;
};

template <class Type> struct DebugMembers {
  llvm::SmallVector<DebugMember<Type>, 8> fixed; // members, not more than the limit
  bool has_more = false;                         // whether there are more members
  bool has_hidden = false;                       // whether there are a vptr or virtual bases
};

struct DebugEnumerator {
  llvm::StringRef name;
  uint64_t value;
};

// Values that are one of several structures, which only some languages have.
template <class Type> struct DebugVariants {
  struct Case {
    std::string name;
    std::optional<uint64_t> number; // number of the case; nothing: all other numbers
    Type type;
    uint64_t bit;
  };
  Type number_type; // false: there is only one case
  uint64_t number_bit = 0;
  llvm::SmallVector<Case, 8> cases;
};

// False for void. No function may recurse into other types without a bound.
template <class Type>
concept IsDebugType = requires(const Type type, unsigned limit) {
  { bool(type) };
  { type.key() } -> std::convertible_to<const void *>;  // equal for equal types
  { type.tag() } -> std::convertible_to<unsigned>;      // DW_TAG
  { type.encoding() } -> std::convertible_to<unsigned>; // DW_ATE
  { type.name() } -> std::convertible_to<std::string>;  // name of the type, without scope
  { type.scope() } -> std::convertible_to<std::string>; // `a::b::`
  { type.bytes() } -> std::convertible_to<uint64_t>;
  // The type that it is derived from: pointee, element, integer of an enumeration, result of a
  // function.
  { type.base() } -> std::same_as<Type>;
  { type.class_type() } -> std::same_as<Type>; // class of a pointer to member
  { type.is_vector() } -> std::same_as<bool>;
  { type.is_declaration() } -> std::same_as<bool>;
  { type.bounds() } -> std::convertible_to<llvm::SmallVector<int64_t, 2>>; // -1: not known
  { type.parameters() } -> std::convertible_to<llvm::SmallVector<Type, 8>>;
  { type.is_variadic() } -> std::same_as<bool>;
  { type.members(limit) } -> std::same_as<DebugMembers<Type>>;
  { type.enumerators(limit) } -> std::convertible_to<llvm::SmallVector<DebugEnumerator, 8>>;
  { type.identifier() } -> std::convertible_to<llvm::StringRef>; // mangled name of a known class
};

inline constexpr unsigned kDeepestType = 32;

// The type without typedefs and qualifiers, which have no size of their own.
template <class Type> Type without_names(Type type) {
  for (unsigned depth = 0; type && depth < kDeepestType; depth++) {
    switch (type.tag()) {
    case llvm::dwarf::DW_TAG_typedef:
    case llvm::dwarf::DW_TAG_template_alias:
    case llvm::dwarf::DW_TAG_const_type:
    case llvm::dwarf::DW_TAG_volatile_type:
    case llvm::dwarf::DW_TAG_restrict_type:
    case llvm::dwarf::DW_TAG_atomic_type:
      type = type.base();
      break;
    default:
      return type;
    }
  }
  return {};
}

} // namespace nophook::prototypes

#endif // NOPHOOK_PROTOTYPES_DEBUG_TYPE_H
