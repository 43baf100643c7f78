// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names of debug info's types as the source would spell them: `const std::string &`,
// `struct point *`, `int (*)(long)`.
//
// Debug info has a type's parts; a reader wants the words of the source. Declarators that wrap
// around a name (pointers to functions and to arrays) are the only difficulty. Names are for
// reading: nothing compares them.

#ifndef NOPHOOK_PROTOTYPES_TYPE_NAMES_H
#define NOPHOOK_PROTOTYPES_TYPE_NAMES_H

#include "debug_type.h"

#include "llvm/ADT/DenseMap.h"

namespace nophook::prototypes {

inline const char *tag_keyword(unsigned tag) {
  switch (tag) {
  case llvm::dwarf::DW_TAG_enumeration_type:
    return "enum";
  case llvm::dwarf::DW_TAG_union_type:
    return "union";
  case llvm::dwarf::DW_TAG_class_type:
    return "class";
  default:
    return "struct";
  }
}

inline const char *type_qualifier(unsigned tag) {
  switch (tag) {
  case llvm::dwarf::DW_TAG_const_type:
    return "const";
  case llvm::dwarf::DW_TAG_volatile_type:
    return "volatile";
  case llvm::dwarf::DW_TAG_restrict_type:
    return "restrict";
  case llvm::dwarf::DW_TAG_atomic_type:
    return "_Atomic";
  default:
    return nullptr;
  }
}

inline bool is_pointer_tag(unsigned tag) {
  return tag == llvm::dwarf::DW_TAG_pointer_type || tag == llvm::dwarf::DW_TAG_reference_type ||
         tag == llvm::dwarf::DW_TAG_rvalue_reference_type;
}

template <IsDebugType Type> class TypeNames {
public:
  // `is_c`: names of tags begin with `struct` or the like.
  std::string name(Type type, bool is_c, unsigned depth = 0) {
    if (!type)
      return "void";
    const auto [found, is_new] = names_.try_emplace(type.key());
    if (!is_new)
      return found->second.empty() ? "..." : found->second; // damaged debug info goes in circles
    std::string text = depth > kDeepest ? "..." : spell(type, is_c, depth + 1);
    if (text.empty())
      text = "?";
    if (text.size() > kLongest)
      text = text.substr(0, kLongest) + "...";
    return names_[type.key()] = std::move(text);
  }

private:
  static constexpr unsigned kDeepest = 24;
  static constexpr size_t kLongest = 400;

  static bool is_pointer(Type type) { return type && is_pointer_tag(type.tag()); }

  static std::string bounds(Type array) {
    std::string text;
    for (const int64_t count : array.bounds())
      text += count >= 0 ? "[" + std::to_string(count) + "]" : "[]";
    return text;
  }

  std::string function(Type type, const std::string &inside, bool is_c, unsigned depth) {
    std::string text = name(type.base(), is_c, depth) + " " + inside + "(";
    const char *comma = "";
    for (Type parameter : type.parameters()) {
      text += comma + name(parameter, is_c, depth);
      comma = ", ";
    }
    return text + (type.is_variadic() ? std::string(comma) + "..." : "") + ")";
  }

  std::string pointer_to(Type base, const std::string &sign, bool is_c, unsigned depth) {
    if (base && base.tag() == llvm::dwarf::DW_TAG_subroutine_type)
      return function(base, "(" + sign + ")", is_c, depth);
    if (base && base.tag() == llvm::dwarf::DW_TAG_array_type && !base.is_vector())
      return name(base.base(), is_c, depth) + " (" + sign + ")" + bounds(base);
    return name(base, is_c, depth) + (is_pointer(base) ? "" : " ") + sign;
  }

  std::string spell(Type type, bool is_c, unsigned depth) {
    const unsigned tag = type.tag();
    const std::string own = type.name();
    switch (tag) {
    case llvm::dwarf::DW_TAG_array_type:
      return name(type.base(), is_c, depth) + (type.is_vector() ? " __vector" : "") + bounds(type);
    case llvm::dwarf::DW_TAG_structure_type:
    case llvm::dwarf::DW_TAG_class_type:
    case llvm::dwarf::DW_TAG_union_type:
    case llvm::dwarf::DW_TAG_enumeration_type:
      if (own.empty())
        return type.scope() + "(anonymous " + tag_keyword(tag) + ")";
      return (is_c ? std::string(tag_keyword(tag)) + " " : "") + type.scope() + own;
    case llvm::dwarf::DW_TAG_subroutine_type:
      return function(type, "", is_c, depth);
    case llvm::dwarf::DW_TAG_pointer_type:
      if (!own.empty()) // as Rust spells it
        return own;
      return pointer_to(type.base(), "*", is_c, depth);
    case llvm::dwarf::DW_TAG_reference_type:
      return pointer_to(type.base(), "&", is_c, depth);
    case llvm::dwarf::DW_TAG_rvalue_reference_type:
      return pointer_to(type.base(), "&&", is_c, depth);
    case llvm::dwarf::DW_TAG_ptr_to_member_type:
      return pointer_to(type.base(), name(type.class_type(), is_c, depth) + "::*", is_c, depth);
    case llvm::dwarf::DW_TAG_typedef:
      return type.scope() + own;
    case llvm::dwarf::DW_TAG_base_type:
    case llvm::dwarf::DW_TAG_unspecified_type:
      return own;
    default:
      const char *word = type_qualifier(tag);
      if (!word)
        return own.empty() ? name(type.base(), is_c, depth) : own;
      const Type base = type.base();
      return is_pointer(base) ? name(base, is_c, depth) + " " + word
                              : std::string(word) + " " + name(base, is_c, depth);
    }
  }

  // Names by type; empty while a name is being made.
  llvm::DenseMap<const void *, std::string> names_;
};

} // namespace nophook::prototypes

#endif // NOPHOOK_PROTOTYPES_TYPE_NAMES_H
