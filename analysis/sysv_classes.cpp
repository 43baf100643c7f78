// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/sysv_classes.h"
#include "analysis/die_type.h"

#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/Support/MathExtras.h"

namespace nophook::analysis {

using llvm::DWARFDie;
namespace dwarf = llvm::dwarf;

namespace {

constexpr uint64_t kLargestInRegisters = 64; // in bytes: a zmm

DWARFDie strip(DWARFDie type) {
  return without_names(DieType(type)).die();
}

// A value in the making: the classes of its eightbytes, merged field by field. A part of a value
// may begin within an eightbyte, and reach into others.
class Classifier {
public:
  explicit Classifier(uint64_t start = 0) : start_(start % 8) {}

  AbiValue classify(DWARFDie type, unsigned depth);

private:
  void scalar(AbiClass of, uint64_t bytes);
  void base(DWARFDie type);
  void vector(uint64_t bytes, uint64_t element_bytes);
  void array(DWARFDie type, unsigned depth);
  void aggregate(DWARFDie type, unsigned depth);
  void field(DWARFDie member, unsigned depth);
  AbiValue part(DWARFDie type, uint64_t offset, unsigned depth) const {
    return Classifier(start_ + offset).classify(type, depth + 1);
  }
  uint64_t eightbytes_of(uint64_t bytes) const { return llvm::divideCeil(start_ + bytes, 8); }
  void merge(const AbiValue &part, uint64_t offset);
  void merge(uint64_t eightbyte, AbiClass with);
  void finish_aggregate();
  void memory();

  const uint64_t start_; // offset in the first eightbyte
  AbiValue value_;
};

void Classifier::memory() {
  value_.eightbytes.assign(1, AbiClass::kMemory);
}

void Classifier::scalar(AbiClass of, uint64_t bytes) {
  value_.is_known = true;
  value_.bytes = value_.alignment = bytes;
  value_.eightbytes.assign(eightbytes_of(bytes), of);
}

void Classifier::base(DWARFDie type) {
  const uint64_t bytes = number_of(type, dwarf::DW_AT_byte_size, 0);
  const llvm::StringRef name = name_of(type);
  const bool is_x87 = name.contains("long double") || name == "_Float64x";
  const uint64_t encoding = number_of(type, dwarf::DW_AT_encoding, 0);
  value_.bytes = bytes;
  switch (encoding) {
  case dwarf::DW_ATE_boolean:
  case dwarf::DW_ATE_signed:
  case dwarf::DW_ATE_signed_char:
  case dwarf::DW_ATE_unsigned:
  case dwarf::DW_ATE_unsigned_char:
  case dwarf::DW_ATE_UTF:
  case dwarf::DW_ATE_address:
    if (bytes && bytes <= 16 && llvm::isPowerOf2_64(bytes))
      scalar(AbiClass::kInteger, bytes);
    return;
  case dwarf::DW_ATE_float:
  case dwarf::DW_ATE_decimal_float:
    if (bytes == 2 || bytes == 4 || bytes == 8) {
      scalar(AbiClass::kSse, bytes);
    } else if (bytes == 16) {
      scalar(is_x87 ? AbiClass::kX87 : AbiClass::kSse, bytes);
      value_.eightbytes[1] = is_x87 ? AbiClass::kX87Up : AbiClass::kSseUp;
    }
    return;
  case dwarf::DW_ATE_complex_float:
    if (bytes == 4 || bytes == 8 || bytes == 16) {
      scalar(AbiClass::kSse, bytes);
      value_.alignment = bytes / 2;
    } else if (bytes == 32) {
      scalar(is_x87 || !name.contains("128") ? AbiClass::kComplexX87 : AbiClass::kMemory, bytes);
      value_.alignment = 16;
      value_.eightbytes.resize(1);
    }
    return;
  }
}

// Classifies a vector. A vector of 16 bytes, or of 8 with several elements, is in one xmm register.
// The places of others depend on the enabled instructions and the compiler's version.
void Classifier::vector(uint64_t bytes, uint64_t element_bytes) {
  value_.bytes = value_.alignment = bytes;
  if (bytes != 16 && (bytes != 8 || element_bytes >= 8))
    return;
  scalar(AbiClass::kSse, bytes);
  if (bytes == 16)
    value_.eightbytes[1] = AbiClass::kSseUp;
}

// Merges two classes, by the rules of the ABI, "classification", in their order.
void Classifier::merge(uint64_t eightbyte, AbiClass with) {
  if (eightbyte >= value_.eightbytes.size())
    return;
  AbiClass &is = value_.eightbytes[eightbyte];
  auto either = [&](AbiClass c) { return is == c || with == c; };
  if (is == with || with == AbiClass::kNone)
    return;
  if (is == AbiClass::kNone)
    is = with;
  else if (either(AbiClass::kMemory))
    is = AbiClass::kMemory;
  else if (either(AbiClass::kInteger))
    is = AbiClass::kInteger;
  else if (either(AbiClass::kX87) || either(AbiClass::kX87Up) || either(AbiClass::kComplexX87))
    is = AbiClass::kMemory;
  else
    is = AbiClass::kSse;
}

void Classifier::merge(const AbiValue &part, uint64_t offset) {
  value_.is_known &= part.is_known;
  value_.by_reference |= part.by_reference;
  value_.alignment = std::max(value_.alignment, part.alignment);
  if (part.is_memory() || (part.alignment && offset % part.alignment && !part.has_no_data())) {
    merge(0, AbiClass::kMemory); // a packed field
    return;
  }
  for (size_t i = 0; i < part.eightbytes.size(); i++)
    merge((start_ + offset) / 8 + i, part.eightbytes[i]);
}

void Classifier::field(DWARFDie member, unsigned depth) {
  const DWARFDie type = type_of(member);
  if (auto bits = dwarf::toUnsigned(member.find(dwarf::DW_AT_bit_size))) {
    const std::optional<uint64_t> at = bit_of(member, *bits);
    const uint64_t end = at ? *at + *bits : 0; // padding in between has no class
    const uint64_t first = start_ * 8 + at.value_or(0);
    for (uint64_t eightbyte = first / 64; eightbyte * 64 < start_ * 8 + end; eightbyte++)
      merge(eightbyte, AbiClass::kInteger);
    return;
  }
  const std::optional<uint64_t> bit = bit_of(member, 0);
  if (!bit) { // a virtual base
    value_.by_reference = true;
    return;
  }
  merge(part(type, *bit / 8, depth), *bit / 8);
}

enum class Special { kNo, kMaybe, kYes };

// Whether a member function makes its class non-trivial for calls: a destructor or a copy or move
// constructor in the program's source.
Special is_nontrivial(DWARFDie function, DWARFDie of) {
  const llvm::StringRef class_name = name_of(of);
  const llvm::StringRef bare = class_name.take_until([](char c) { return c == '<'; });
  if (number_of(function, dwarf::DW_AT_artificial, 0) ||
      number_of(function, dwarf::DW_AT_defaulted, 0) == dwarf::DW_DEFAULTED_in_class)
    return Special::kNo; // the compiler's own: as trivial as the members
  const llvm::StringRef name = name_of(function);
  if (name.starts_with("~"))
    return Special::kYes;
  if (bare.empty() || name != bare)
    return Special::kNo;
  unsigned parameters = 0;
  for (DWARFDie parameter : function.children()) {
    if (parameter.getTag() != dwarf::DW_TAG_formal_parameter || parameters++ != 1)
      continue;
    const DWARFDie type = strip(type_of(parameter));
    const bool is_reference = type && (type.getTag() == dwarf::DW_TAG_reference_type ||
                                       type.getTag() == dwarf::DW_TAG_rvalue_reference_type);
    if (!is_reference || strip(type_of(type)) != of)
      return Special::kNo;
    // Deleted functions count only if all are deleted, which debug info does not show.
    return function.find(dwarf::DW_AT_deleted) ? Special::kMaybe : Special::kYes;
  }
  return Special::kNo;
}

void Classifier::aggregate(DWARFDie type, unsigned depth) {
  value_.bytes = number_of(type, dwarf::DW_AT_byte_size, 0);
  if (DieType(type).is_declaration())
    return;
  value_.is_known = true;
  value_.alignment = number_of(type, dwarf::DW_AT_alignment, 1);
  const bool is_large = value_.bytes > kLargestInRegisters;
  value_.eightbytes.assign(is_large ? 1 : eightbytes_of(value_.bytes),
                           is_large ? AbiClass::kMemory : AbiClass::kNone);
  Special special = Special::kNo;
  for (DWARFDie child : type.children()) {
    switch (child.getTag()) {
    case dwarf::DW_TAG_member:
      if (child.find(dwarf::DW_AT_external) || child.find(dwarf::DW_AT_declaration))
        break; // a static member
      if (name_of(child).starts_with("_vptr"))
        value_.by_reference = true; // its copy constructor sets the pointer
      field(child, depth);
      break;
    case dwarf::DW_TAG_inheritance:
      value_.by_reference |= number_of(child, dwarf::DW_AT_virtuality, 0) != 0;
      field(child, depth);
      break;
    case dwarf::DW_TAG_subprogram:
      special = std::max(special, is_nontrivial(child, type));
      break;
    default:
      break;
    }
  }
  switch (number_of(type, dwarf::DW_AT_calling_convention, 0)) {
  case dwarf::DW_CC_pass_by_value:
    value_.by_reference = false;
    special = Special::kNo;
    break;
  case dwarf::DW_CC_pass_by_reference:
    value_.by_reference = true;
    break;
  }
  value_.by_reference |= special == Special::kYes;
  if (special == Special::kMaybe && !value_.by_reference)
    value_.is_known = false;
  finish_aggregate();
}

void Classifier::finish_aggregate() {
  auto &classes = value_.eightbytes;
  for (size_t i = 0; i < classes.size(); i++) {
    if (classes[i] == AbiClass::kMemory ||
        (classes[i] == AbiClass::kX87Up && (i == 0 || classes[i - 1] != AbiClass::kX87)))
      return memory();
    if (classes[i] == AbiClass::kSseUp &&
        (i == 0 || (classes[i - 1] != AbiClass::kSse && classes[i - 1] != AbiClass::kSseUp)))
      classes[i] = AbiClass::kSse;
  }
  if (classes.size() <= 2)
    return;
  if (classes[0] != AbiClass::kSse)
    return memory();
  for (size_t i = 1; i < classes.size(); i++)
    if (classes[i] != AbiClass::kSseUp)
      return memory();
}

void Classifier::array(DWARFDie type, unsigned depth) {
  const AbiValue element = part(type_of(type), 0, depth);
  const llvm::SmallVector<int64_t, 2> bounds = DieType(type).bounds();
  uint64_t count = 1;
  for (const int64_t items : bounds)
    count = llvm::SaturatingMultiply(count, uint64_t(std::max<int64_t>(items, 0))); // -1: flexible
  if (type.find(dwarf::DW_AT_GNU_vector)) {
    vector(number_of(type, dwarf::DW_AT_byte_size, element.bytes * count), element.bytes);
    return;
  }
  value_ = element;
  value_.bytes = bounds.empty() ? 0 : element.bytes * count;
  if (value_.bytes > kLargestInRegisters || count > kLargestInRegisters)
    return memory();
  value_.eightbytes.assign(eightbytes_of(value_.bytes), AbiClass::kNone);
  for (uint64_t at = 0; at < value_.bytes; at += element.bytes)
    merge(at % 8 ? part(type_of(type), at, depth) : element, at);
}

AbiValue Classifier::classify(DWARFDie type, unsigned depth) {
  type = strip(type);
  if (!type || depth > kDeepestType)
    return value_;
  switch (type.getTag()) {
  case dwarf::DW_TAG_base_type:
    base(type);
    break;
  case dwarf::DW_TAG_pointer_type:
  case dwarf::DW_TAG_reference_type:
  case dwarf::DW_TAG_rvalue_reference_type:
  case dwarf::DW_TAG_unspecified_type: // decltype(nullptr)
    scalar(AbiClass::kInteger, 8);
    break;
  case dwarf::DW_TAG_ptr_to_member_type: {
    const DWARFDie to = strip(type_of(type));
    const bool is_function = to && to.getTag() == dwarf::DW_TAG_subroutine_type;
    scalar(AbiClass::kInteger, is_function ? 16 : 8);
    value_.alignment = 8;
    break;
  }
  case dwarf::DW_TAG_enumeration_type: {
    const uint64_t bytes = number_of(type, dwarf::DW_AT_byte_size, 0);
    if (bytes && bytes <= 16)
      scalar(AbiClass::kInteger, bytes);
    break;
  }
  case dwarf::DW_TAG_array_type:
    array(type, depth);
    break;
  case dwarf::DW_TAG_structure_type:
  case dwarf::DW_TAG_class_type:
  case dwarf::DW_TAG_union_type:
    aggregate(type, depth);
    break;
  default:
    break;
  }
  return value_;
}

} // namespace

AbiValue classify(DWARFDie type) {
  return Classifier().classify(type, 0);
}

} // namespace nophook::analysis
