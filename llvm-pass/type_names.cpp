// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Debug info has a type's parts; a person wants the words of the source. Declarators that wrap
// around a name (pointers to functions and to arrays) are the only difficulty. Names are for
// reading: nothing compares them.

#include "type_names.h"

#include "llvm/BinaryFormat/Dwarf.h"

namespace nophook {
namespace {

constexpr unsigned kDeepest = 24;
constexpr size_t kLongest = 400;

// `a::b::` of what encloses the type.
std::string scope_of(const llvm::DIScope *scope) {
  std::string text;
  for (unsigned depth = 0; scope && depth < kDeepest; depth++) {
    if (const auto *space = llvm::dyn_cast<llvm::DINamespace>(scope)) {
      // An inline namespace is an ABI matter: std::__cxx11::string.
      if (!space->getExportSymbols())
        text = (space->getName().empty() ? "(anonymous)" : space->getName().str()) + "::" + text;
      scope = space->getScope();
    } else if (const auto *type = llvm::dyn_cast<llvm::DICompositeType>(scope)) {
      text = (type->getName().empty() ? "(anonymous)" : type->getName().str()) + "::" + text;
      scope = type->getScope();
    } else {
      break;
    }
  }
  return text;
}

const char *keyword(unsigned tag) {
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

const char *qualifier(unsigned tag) {
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

bool is_pointer(const llvm::DIType *type) {
  const auto *derived = llvm::dyn_cast_or_null<llvm::DIDerivedType>(type);
  return derived && (derived->getTag() == llvm::dwarf::DW_TAG_pointer_type ||
                     derived->getTag() == llvm::dwarf::DW_TAG_reference_type ||
                     derived->getTag() == llvm::dwarf::DW_TAG_rvalue_reference_type);
}

std::string bounds(const llvm::DICompositeType &array) {
  std::string text;
  for (const llvm::DINode *element : array.getElements())
    if (const auto *range = llvm::dyn_cast_or_null<llvm::DISubrange>(element)) {
      const auto count = range->getCount();
      const auto *number = llvm::dyn_cast_if_present<llvm::ConstantInt *>(count);
      text += number && number->getSExtValue() >= 0
                  ? "[" + std::to_string(number->getZExtValue()) + "]"
                  : "[]";
    }
  return text;
}

} // namespace

std::string TypeNames::function(const llvm::DISubroutineType &type, const std::string &inside,
                                bool is_c, unsigned depth) {
  const llvm::DITypeRefArray types = type.getTypeArray();
  const unsigned count = types ? types.size() : 0;
  std::string text = name(count ? types[0] : nullptr, is_c, depth) + " " + inside + "(";
  for (unsigned i = 1; i < count; i++) {
    text += i > 1 ? ", " : "";
    text += i + 1 == count && !types[i] ? "..." : name(types[i], is_c, depth);
  }
  return text + ")";
}

std::string TypeNames::pointer_to(const llvm::DIType *base, const char *sign, bool is_c,
                                  unsigned depth) {
  if (const auto *callee = llvm::dyn_cast_or_null<llvm::DISubroutineType>(base))
    return function(*callee, std::string("(") + sign + ")", is_c, depth);
  if (const auto *array = llvm::dyn_cast_or_null<llvm::DICompositeType>(base);
      array && array->getTag() == llvm::dwarf::DW_TAG_array_type && !array->isVector())
    return name(array->getBaseType(), is_c, depth) + " (" + sign + ")" + bounds(*array);
  return name(base, is_c, depth) + (is_pointer(base) ? "" : " ") + sign;
}

std::string TypeNames::spell(const llvm::DIType &type, bool is_c, unsigned depth) {
  if (const auto *composite = llvm::dyn_cast<llvm::DICompositeType>(&type)) {
    if (composite->getTag() == llvm::dwarf::DW_TAG_array_type)
      return name(composite->getBaseType(), is_c, depth) +
             (composite->isVector() ? " __vector" : "") + bounds(*composite);
    if (composite->getName().empty())
      return scope_of(composite->getScope()) + "(anonymous " + keyword(composite->getTag()) + ")";
    return (is_c ? std::string(keyword(composite->getTag())) + " " : "") +
           scope_of(composite->getScope()) + composite->getName().str();
  }
  if (const auto *callee = llvm::dyn_cast<llvm::DISubroutineType>(&type))
    return function(*callee, "", is_c, depth);
  const auto *derived = llvm::dyn_cast<llvm::DIDerivedType>(&type);
  if (!derived)
    return type.getName().str();
  const llvm::DIType *base = derived->getBaseType();
  switch (const unsigned tag = derived->getTag()) {
  case llvm::dwarf::DW_TAG_pointer_type:
    return pointer_to(base, "*", is_c, depth);
  case llvm::dwarf::DW_TAG_reference_type:
    return pointer_to(base, "&", is_c, depth);
  case llvm::dwarf::DW_TAG_rvalue_reference_type:
    return pointer_to(base, "&&", is_c, depth);
  case llvm::dwarf::DW_TAG_ptr_to_member_type:
    return pointer_to(base, (name(derived->getClassType(), is_c, depth) + "::*").c_str(), is_c,
                      depth);
  case llvm::dwarf::DW_TAG_typedef:
    return scope_of(derived->getScope()) + derived->getName().str();
  default:
    const char *word = qualifier(tag);
    if (!word)
      return derived->getName().empty() ? name(base, is_c, depth) : derived->getName().str();
    return is_pointer(base) ? name(base, is_c, depth) + " " + word
                            : std::string(word) + " " + name(base, is_c, depth);
  }
}

std::string TypeNames::name(const llvm::DIType *type, bool is_c, unsigned depth) {
  if (!type)
    return "void";
  const auto [found, is_new] = names_.try_emplace(type);
  if (!is_new)
    return found->second.empty() ? "..." : found->second; // damaged debug info goes in circles
  std::string text = depth > kDeepest ? "..." : spell(*type, is_c, depth + 1);
  if (text.empty())
    text = "?";
  if (text.size() > kLongest)
    text = text.substr(0, kLongest) + "...";
  return names_[type] = std::move(text);
}

} // namespace nophook
