// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "machine/aarch64/aapcs64_assignment.h"
#include "analysis/die_type.h"
#include "analysis/sysv_classes.h"

#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/Support/MathExtras.h"

namespace nophook::aarch64 {

using llvm::DWARFDie;
namespace dwarf = llvm::dwarf;

namespace {

constexpr unsigned kRegisters = 8;
constexpr uint64_t kLargestInRegisters = 16; // in bytes; for a composite that is no HFA or HVA
constexpr uint64_t kLargestStack = 0xffff;   // largest offset in a place
constexpr unsigned kMostElements = 4;

DWARFDie strip(DWARFDie type) {
  return without_names(DieType(type)).die();
}

bool is_class(DWARFDie type) {
  return type.getTag() == dwarf::DW_TAG_structure_type ||
         type.getTag() == dwarf::DW_TAG_class_type || type.getTag() == dwarf::DW_TAG_union_type;
}

bool is_field(DWARFDie die) {
  const bool is_member = die.getTag() == dwarf::DW_TAG_member && !die.find(dwarf::DW_AT_external) &&
                         !die.find(dwarf::DW_AT_declaration);
  return is_member || die.getTag() == dwarf::DW_TAG_inheritance;
}

uint64_t size_of(DWARFDie type) {
  return DieType(type).bytes();
}

uint64_t items_of(DWARFDie array) {
  const llvm::SmallVector<int64_t, 2> bounds = DieType(array).bounds();
  uint64_t count = bounds.empty() ? 0 : 1;
  for (const int64_t items : bounds)
    count = llvm::SaturatingMultiply(count, uint64_t(std::max<int64_t>(items, 0)));
  return count;
}

// The one type in vector registers that all parts of a value have, and their number. Vectors of one
// size count as one type.
struct Elements {
  enum class Of { kNothing, kFloat, kBfloat, kVector, kMixed } of = Of::kNothing;
  uint64_t bytes = 0;
  uint64_t count = 0;

  bool are_one_kind() const { return of != Of::kNothing && of != Of::kMixed; }
};
using Of = Elements::Of;
constexpr Elements kMixed = {Of::kMixed, 0, 0};

Elements elements_of(DWARFDie type, unsigned depth);

Elements elements_of_base(DWARFDie type) {
  const uint64_t bytes = size_of(type);
  switch (number_of(type, dwarf::DW_AT_encoding, 0)) {
  case dwarf::DW_ATE_float:
    return {name_of(type).contains("bf") ? Of::kBfloat : Of::kFloat, bytes, 1};
  case dwarf::DW_ATE_decimal_float:
    return {Of::kFloat, bytes, 1};
  case dwarf::DW_ATE_complex_float:
    return {Of::kFloat, bytes / 2, 2};
  default:
    return kMixed;
  }
}

Elements elements_of_class(DWARFDie type, unsigned depth) {
  const bool is_union = type.getTag() == dwarf::DW_TAG_union_type;
  Elements all;
  for (DWARFDie child : type.children()) {
    if (!is_field(child))
      continue;
    const Elements part = elements_of(type_of(child), depth + 1);
    const bool is_base = child.getTag() == dwarf::DW_TAG_inheritance;
    if (part.of == Of::kNothing && (is_base || !size_of(strip(type_of(child)))))
      continue; // an empty base, and C's empty structure, have no byte of their own
    if (!part.are_one_kind() || child.find(dwarf::DW_AT_bit_size) ||
        (all.are_one_kind() && (all.of != part.of || all.bytes != part.bytes)))
      return kMixed;
    all = {part.of, part.bytes,
           is_union ? std::max(all.count, part.count) : all.count + part.count};
  }
  if (all.of == Of::kNothing)
    return all;
  return all.bytes * all.count == size_of(type) ? all : kMixed; // no padding
}

Elements elements_of(DWARFDie type, unsigned depth) {
  type = strip(type);
  if (!type || depth > kDeepestType)
    return kMixed;
  if (type.getTag() == dwarf::DW_TAG_base_type)
    return elements_of_base(type);
  if (is_class(type))
    return elements_of_class(type, depth);
  if (type.getTag() != dwarf::DW_TAG_array_type)
    return kMixed;
  if (DieType(type).is_vector()) {
    const uint64_t bytes = size_of(type);
    return bytes == 8 || bytes == 16 ? Elements{Of::kVector, bytes, 1} : kMixed;
  }
  Elements elements = elements_of(type_of(type), depth + 1);
  elements.count = llvm::SaturatingMultiply(elements.count, items_of(type));
  return elements;
}

// The alignment that the type of a member requests, itself or by one of its names.
uint64_t asked_alignment(DWARFDie type) {
  uint64_t alignment = 1;
  for (unsigned depth = 0; type && depth < kDeepestType; depth++) {
    alignment = std::max(alignment, number_of(type, dwarf::DW_AT_alignment, 1));
    const bool is_name = type.getTag() == dwarf::DW_TAG_typedef ||
                         type.getTag() == dwarf::DW_TAG_const_type ||
                         type.getTag() == dwarf::DW_TAG_volatile_type;
    if (!is_name)
      break;
    type = type_of(type);
  }
  return alignment;
}

// The natural alignment. A class has that of its members, whatever alignment it requests for
// itself.
uint64_t alignment_of(DWARFDie type, unsigned depth) {
  type = strip(type);
  if (!type || depth > kDeepestType)
    return 1;
  if (type.getTag() == dwarf::DW_TAG_array_type && !DieType(type).is_vector())
    return std::max(asked_alignment(type_of(type)), alignment_of(type_of(type), depth + 1));
  if (!is_class(type)) {
    const bool is_complex =
        number_of(type, dwarf::DW_AT_encoding, 0) == dwarf::DW_ATE_complex_float;
    const bool is_pair = type.getTag() == dwarf::DW_TAG_ptr_to_member_type;
    return is_pair ? 8 : std::max<uint64_t>(size_of(type) / (is_complex ? 2 : 1), 1);
  }
  uint64_t alignment = 1;
  for (DWARFDie child : type.children())
    if (is_field(child))
      alignment =
          std::max({alignment, number_of(child, dwarf::DW_AT_alignment, 1),
                    asked_alignment(type_of(child)), alignment_of(type_of(child), depth + 1)});
  return alignment;
}

bool is_scalar(DWARFDie type) {
  switch (type.getTag()) {
  case dwarf::DW_TAG_base_type:
  case dwarf::DW_TAG_pointer_type:
  case dwarf::DW_TAG_reference_type:
  case dwarf::DW_TAG_rvalue_reference_type:
  case dwarf::DW_TAG_unspecified_type: // decltype(nullptr)
  case dwarf::DW_TAG_ptr_to_member_type:
  case dwarf::DW_TAG_enumeration_type:
    return true;
  default:
    return false;
  }
}

} // namespace

struct Aapcs64Assignment::Value {
  enum Kind { kUnknown, kNothing, kGeneral, kVectors, kAddress } kind = kUnknown;
  uint64_t bytes = 0;
  uint64_t alignment = 8; // or 16
  Elements elements;      // for kVectors
  bool is_composite = false;
  bool has_data = true; // false: a register is passed without a meaning
};

Aapcs64Assignment::Value Aapcs64Assignment::value_of(DWARFDie type) {
  Value value;
  type = strip(type);
  if (!type)
    return value;
  // Whether a class is trivial does not depend on the CPU.
  AbiValue trivial;
  trivial.is_known = true;
  if (is_class(type))
    trivial = classify(type);
  value.bytes = size_of(type);
  value.is_composite = !is_scalar(type) && !DieType(type).is_vector();
  if (!trivial.is_known)
    return value;
  if (trivial.by_reference) {
    value.kind = Value::kAddress;
    return value;
  }
  if (!value.bytes) { // C's empty structure
    value.kind = is_class(type) ? Value::kNothing : Value::kUnknown;
    return value;
  }
  value.alignment = alignment_of(type, 0) >= 16 ? 16 : 8;
  value.elements = elements_of(type, 0);
  if (value.elements.are_one_kind() && value.elements.count &&
      value.elements.count <= kMostElements) {
    value.kind = Value::kVectors;
    return value;
  }
  if (DieType(type).is_vector()) // of another size, or scalable
    return value;
  // A packed member is aligned to less than its type.
  if (value.is_composite && value.bytes % value.alignment && value.alignment > 8)
    return value;
  value.has_data = !is_class(type) || !trivial.has_no_data();
  value.kind =
      value.is_composite && value.bytes > kLargestInRegisters ? Value::kAddress : Value::kGeneral;
  if (value.bytes > kLargestInRegisters && value.kind == Value::kGeneral)
    value.kind = Value::kUnknown;
  return value;
}

uint64_t Aapcs64Assignment::push(uint64_t bytes, uint64_t alignment) {
  stack_ = llvm::alignTo(stack_, alignment);
  const uint64_t at = stack_;
  stack_ += llvm::alignTo(bytes, 8);
  return at;
}

// The assignment of an unknown value. It assumes all ways at once: two general registers, four
// vector registers, and the stack.
Pieces Aapcs64Assignment::not_known(uint64_t bytes) {
  general_ = std::min(kRegisters, (unsigned)llvm::alignTo(general_, 2) + 2);
  vectors_ = std::min(kRegisters, vectors_ + 4);
  push(std::max<uint64_t>(bytes, 64), 16); // or four vectors
  is_exact_ = false;
  return {unknown_piece()};
}

Pieces Aapcs64Assignment::on_stack(const Value &value) {
  const uint64_t at = push(value.bytes, value.alignment);
  if (at > kLargestStack || !is_exact_)
    return {unknown_piece()};
  if (!value.has_data)
    return {};
  return {{NOPHOOK_PLACE(NOPHOOK_PLACE_STACK, 0, 0, at), 0, value.bytes}};
}

Pieces Aapcs64Assignment::in_vectors(const Value &value) {
  if (vectors_ + value.elements.count > kRegisters) {
    vectors_ = kRegisters;
    return on_stack(value);
  }
  Pieces pieces;
  for (uint64_t i = 0; i < value.elements.count; i++)
    pieces.push_back({NOPHOOK_PLACE(NOPHOOK_PLACE_SSE, 0, vectors_++, 0), i * value.elements.bytes,
                      value.elements.bytes});
  return pieces;
}

Pieces Aapcs64Assignment::in_general(const Value &value) {
  if (value.alignment == 16)
    general_ = (unsigned)llvm::alignTo(general_, 2);
  const uint64_t registers = llvm::divideCeil(value.bytes, 8);
  if (general_ + registers > kRegisters) {
    general_ = kRegisters;
    return on_stack(value);
  }
  Pieces pieces;
  for (uint64_t i = 0; i < registers; i++)
    pieces.push_back({NOPHOOK_PLACE(NOPHOOK_PLACE_GENERAL, 0, general_++, 0), i * 8,
                      std::min<uint64_t>(8, value.bytes - i * 8)});
  return value.has_data ? pieces : Pieces();
}

Pieces Aapcs64Assignment::by_address(uint64_t bytes) {
  if (general_ < kRegisters)
    return {{NOPHOOK_PLACE(NOPHOOK_PLACE_AT_GENERAL, 0, general_++, 0), 0, bytes}};
  const uint64_t at = push(8, 8);
  return {at > kLargestStack ? unknown_piece()
                             : Piece{NOPHOOK_PLACE(NOPHOOK_PLACE_AT_STACK, 0, 0, at), 0, bytes}};
}

Pieces Aapcs64Assignment::argument(DWARFDie type) {
  const Value value = value_of(type);
  Pieces pieces;
  switch (value.kind) {
  case Value::kUnknown:
    return not_known(value.bytes);
  case Value::kNothing:
    break;
  case Value::kGeneral:
    pieces = in_general(value);
    break;
  case Value::kVectors:
    pieces = in_vectors(value);
    break;
  case Value::kAddress:
    pieces = by_address(value.bytes);
    break;
  }
  return is_exact_ ? pieces : Pieces{unknown_piece()};
}

Pieces Aapcs64Assignment::result(DWARFDie type) {
  if (!strip(type))
    return {};
  const Value value = value_of(type);
  if (value.kind == Value::kNothing)
    return {};
  Aapcs64Assignment first;
  if (value.kind == Value::kGeneral)
    return first.in_general(value);
  if (value.kind == Value::kVectors)
    return first.in_vectors(value);
  return {unknown_piece()};
}

} // namespace nophook::aarch64
