// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/rust_assignment.h"
#include "analysis/die_type.h"

#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/DebugInfo/DWARF/DWARFUnit.h"
#include "llvm/Support/MathExtras.h"

namespace nophook::analysis {

using llvm::DWARFDie;
namespace dwarf = llvm::dwarf;

namespace {

constexpr uint64_t kWord = 8;
constexpr unsigned kVectors = 8;
constexpr uint64_t kLargestStack = 0xffff; // largest offset in a place

RustLayout memory(uint64_t bytes) {
  return {RustLayout::kMemory, bytes, {}};
}

RustLayout scalar(uint64_t bytes, bool is_float = false) {
  return {RustLayout::kScalar, bytes, {{0, bytes, is_float}, {}}};
}

RustLayout moved(RustLayout layout, uint64_t at) {
  for (RustScalar &scalar : layout.scalars)
    scalar.at += at;
  return layout;
}

// The layout of two numbers, if the second one is right behind the first as its alignment allows.
RustLayout pair(RustScalar a, RustScalar b, uint64_t bytes) {
  if (b.at < a.at)
    std::swap(a, b);
  const bool is_pair = a.at == 0 && b.at == llvm::alignTo(a.bytes, b.bytes) &&
                       bytes == llvm::alignTo(b.at + b.bytes, std::max(a.bytes, b.bytes));
  if (!is_pair)
    return memory(bytes);
  return {RustLayout::kPair, bytes, {a, b}};
}

RustLayout base(DWARFDie type, uint64_t bytes) {
  if (!bytes)
    return {RustLayout::kNothing, 0, {}};
  const bool is_float = number_of(type, dwarf::DW_AT_encoding, 0) == dwarf::DW_ATE_float;
  if (bytes > 16 || !llvm::isPowerOf2_64(bytes) || (is_float && bytes != 4 && bytes != 8))
    return {};
  return scalar(bytes, is_float);
}

// The layout of the fields with data; a field that is not understood makes it unknown.
RustLayout fields(DWARFDie type, uint64_t bytes, unsigned depth) {
  llvm::SmallVector<RustLayout, 4> found;
  const bool is_union = type.getTag() == dwarf::DW_TAG_union_type;
  for (DWARFDie child : type.children()) {
    if (child.getTag() != dwarf::DW_TAG_member)
      continue;
    const std::optional<uint64_t> bit = bit_of(child, 0);
    const RustLayout layout = rust_layout(type_of(child), depth + 1);
    if (!bit || layout.kind == RustLayout::kUnknown)
      return {};
    if (layout.kind != RustLayout::kNothing)
      found.push_back(moved(layout, *bit / 8));
  }
  if (found.empty())
    return bytes ? memory(bytes) : RustLayout{RustLayout::kNothing, 0, {}};
  if (found.size() == 1 && found[0].bytes == bytes && found[0].scalars[0].at == 0)
    return found[0];
  if (is_union)
    return found.size() == 1 ? memory(bytes) : RustLayout();
  if (found.size() == 2 && found[0].kind == RustLayout::kScalar &&
      found[1].kind == RustLayout::kScalar)
    return pair(found[0].scalars[0], found[1].scalars[0], bytes);
  return memory(bytes);
}

// The layout of an enumeration with values. The current variant is shown either by a number of its
// own, or by a value that a field of one of them cannot have.
RustLayout variants(DWARFDie part, uint64_t bytes, unsigned depth) {
  const DWARFDie tag = part.getAttributeValueAsReferencedDie(dwarf::DW_AT_discr);
  std::optional<RustScalar> common, number;
  std::optional<RustLayout> largest;
  bool has_default = false, are_alike = true;
  unsigned with_data = 0;
  if (tag) {
    const RustLayout layout = rust_layout(type_of(tag), depth + 1);
    const std::optional<uint64_t> bit = bit_of(tag, 0);
    if (layout.kind != RustLayout::kScalar || !bit)
      return {};
    number = moved(layout, *bit / 8).scalars[0];
  }
  for (DWARFDie variant : part.children()) {
    if (variant.getTag() != dwarf::DW_TAG_variant)
      continue;
    const bool is_default = !variant.find(dwarf::DW_AT_discr_value);
    has_default |= is_default;
    for (DWARFDie member : variant.children()) {
      if (member.getTag() != dwarf::DW_TAG_member)
        continue;
      // Each variant is a structure of the whole size: the fields in it count.
      llvm::SmallVector<RustLayout, 4> inside;
      for (DWARFDie field : type_of(member).children()) {
        if (field.getTag() != dwarf::DW_TAG_member)
          continue;
        const std::optional<uint64_t> bit = bit_of(field, 0);
        const RustLayout layout = rust_layout(type_of(field), depth + 1);
        if (!bit || layout.kind == RustLayout::kUnknown)
          return {};
        if (layout.kind != RustLayout::kNothing)
          inside.push_back(moved(layout, *bit / 8));
      }
      if (inside.empty())
        continue;
      with_data++;
      largest = fields(type_of(member), bytes, depth + 1);
      const bool is_one = inside.size() == 1 && inside[0].kind == RustLayout::kScalar;
      const RustScalar one = inside[0].scalars[0];
      if (!is_one || (common && (common->at != one.at || common->bytes != one.bytes ||
                                 common->is_float != one.is_float)))
        are_alike = false;
      common = one;
    }
  }
  if (!number) // there is one variant only
    return with_data == 1 ? *largest : memory(bytes);
  if (has_default) // the others have no data, or it is unknown
    return with_data == 1 ? *largest : memory(bytes);
  if (!with_data)
    return number->bytes == bytes ? scalar(bytes) : memory(bytes);
  return are_alike ? pair(*number, *common, bytes) : memory(bytes);
}

} // namespace

RustLayout rust_layout(DWARFDie type, unsigned depth) {
  if (!type || depth > kDeepestType)
    return {};
  const DieType known(type);
  const uint64_t bytes = known.bytes();
  switch (type.getTag()) {
  case dwarf::DW_TAG_base_type:
    return base(type, bytes);
  case dwarf::DW_TAG_pointer_type:
  case dwarf::DW_TAG_subroutine_type:
    return scalar(kWord);
  case dwarf::DW_TAG_enumeration_type:
    return bytes ? base(type, bytes) : RustLayout{RustLayout::kNothing, 0, {}};
  case dwarf::DW_TAG_array_type:
    return bytes ? memory(bytes) : RustLayout{RustLayout::kNothing, 0, {}};
  case dwarf::DW_TAG_structure_type:
  case dwarf::DW_TAG_union_type:
    break;
  default:
    return {};
  }
  // Vectors of the processor, and types that are only declared.
  if (known.is_declaration() || name_of(type).starts_with("__m"))
    return {};
  for (DWARFDie child : type.children())
    if (child.getTag() == dwarf::DW_TAG_variant_part)
      return variants(child, bytes, depth);
  return fields(type, bytes, depth);
}

uint64_t RustAssignment::stack_bytes() const {
  return llvm::alignTo(stack_, kWord) + (general_ >= generals() ? kWord : 0);
}

uint32_t RustAssignment::general() {
  if (general_ < generals())
    return NOPHOOK_PLACE(NOPHOOK_PLACE_GENERAL, 0, convention_.arguments[general_++], 0);
  const uint64_t at = stack_;
  stack_ += kWord;
  return at > kLargestStack ? unknown_piece().place : NOPHOOK_PLACE(NOPHOOK_PLACE_STACK, 0, 0, at);
}

Piece RustAssignment::scalar(const RustScalar &scalar) {
  if (!scalar.is_float)
    return {general(), scalar.at, scalar.bytes};
  if (vectors_ < kVectors)
    return {NOPHOOK_PLACE(NOPHOOK_PLACE_SSE, 0, vectors_++, 0), scalar.at, scalar.bytes};
  const uint64_t at = stack_;
  stack_ += kWord;
  return {at > kLargestStack ? unknown_piece().place : NOPHOOK_PLACE(NOPHOOK_PLACE_STACK, 0, 0, at),
          scalar.at, scalar.bytes};
}

Pieces RustAssignment::by_address(uint64_t bytes) {
  const uint32_t place = general();
  const bool is_register = NOPHOOK_PLACE_WHERE(place) == NOPHOOK_PLACE_GENERAL;
  if (!is_exact_ || NOPHOOK_PLACE_WHERE(place) == NOPHOOK_PLACE_UNKNOWN)
    return {unknown_piece()};
  return {{NOPHOOK_PLACE(is_register ? NOPHOOK_PLACE_AT_GENERAL : NOPHOOK_PLACE_AT_STACK, 0,
                         NOPHOOK_PLACE_NUMBER(place), NOPHOOK_PLACE_OFFSET(place)),
           0, bytes}};
}

Pieces RustAssignment::argument(DWARFDie type) {
  const RustLayout layout = rust_layout(type);
  Pieces pieces;
  switch (layout.kind) {
  case RustLayout::kNothing:
    return {};
  case RustLayout::kMemory:
    if (layout.bytes > kWord)
      return by_address(layout.bytes);
    pieces.push_back({general(), 0, layout.bytes});
    break;
  case RustLayout::kScalar:
  case RustLayout::kPair:
    for (unsigned i = 0; i < (layout.kind == RustLayout::kPair ? 2u : 1u); i++) {
      const RustScalar &one = layout.scalars[i];
      if (one.bytes <= kWord) {
        pieces.push_back(scalar(one));
        continue;
      }
      // Both halves in registers, or both aligned on the stack.
      is_exact_ &= general_ + 2 <= generals() && !(convention_.pairs_begin_even && general_ % 2);
      stack_ += is_exact_ ? 0 : kWord;
      pieces.push_back(scalar({one.at, kWord, false}));
      pieces.push_back(scalar({one.at + kWord, kWord, false}));
    }
    break;
  case RustLayout::kUnknown: // in registers, on the stack, or by its address
    general_ = std::min(generals(), general_ + 1);
    stack_ += 64;
    is_exact_ = false;
  }
  return is_exact_ ? pieces : Pieces{unknown_piece()};
}

Pieces RustAssignment::result(DWARFDie type) {
  if (!type)
    return {};
  const RustLayout layout = rust_layout(type);
  // The registers of results have the numbers 0 and 1 on both CPUs.
  unsigned general = 0, vectors = 0;
  auto next = [&](const RustScalar &one) -> Piece {
    return {one.is_float ? NOPHOOK_PLACE(NOPHOOK_PLACE_SSE, 0, vectors++, 0)
                         : NOPHOOK_PLACE(NOPHOOK_PLACE_GENERAL, 0, general++, 0),
            one.at, one.bytes};
  };
  switch (layout.kind) {
  case RustLayout::kNothing:
    return {};
  case RustLayout::kScalar:
    if (layout.bytes > kWord)
      return {next({0, kWord, false}), next({kWord, kWord, false})};
    return {next(layout.scalars[0])};
  case RustLayout::kPair:
    if (layout.bytes <= 2 * kWord)
      return {next(layout.scalars[0]), next(layout.scalars[1])};
    break;
  case RustLayout::kMemory:
    if (layout.bytes <= kWord)
      return {next({0, layout.bytes, false})};
    break;
  case RustLayout::kUnknown:
    is_exact_ = false;
    general_++;
    return {unknown_piece()};
  }
  // In memory of the caller, whose address is a hidden argument, or in a register of its own.
  if (!convention_.returns_address)
    return {unknown_piece()};
  general_++;
  return {{NOPHOOK_PLACE(NOPHOOK_PLACE_AT_GENERAL, 0, 0, 0), 0, layout.bytes}};
}

} // namespace nophook::analysis
