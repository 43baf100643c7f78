// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The meaning of a value: debug info's types, reduced to the parts that are needed to show a value.
//
// Pointers are not followed, so no type recurses for ever: only the name of a pointer is kept. The
// exceptions are pointers to char, references to types that are not classes, and std::string and
// std::string_view. For these two the address and the length of the text are kept, so that no
// reader must know the C++ library. They are recognized by their mangled name, because debug info
// often has only their declaration: the library instantiates them.

#ifndef NOPHOOK_PROTOTYPES_SOURCE_TYPES_H
#define NOPHOOK_PROTOTYPES_SOURCE_TYPES_H

#include "shapes.h"
#include "type_names.h"

#include "llvm/ADT/SmallPtrSet.h"

#include <optional>

namespace nophook::prototypes {

// The place of the text in a known string class: bit offsets of the address and of the length.
struct TextLayout {
  uint64_t bytes, address_bit, length_bit;
  const char *name;
};
std::optional<TextLayout> text_layout(llvm::StringRef identifier);

// The shape of a base type, from its name and encoding. `long_double`: the kind of the target's
// `long double` of 16 bytes.
Shape basic_shape(RecordTable &table, unsigned tag, llvm::StringRef name, unsigned encoding,
                  uint64_t bytes, nophook_kind long_double);
Shape text_shape(RecordTable &table, const TextLayout &layout);
Shape member_pointer_shape(RecordTable &table, uint64_t bytes);
const char *complex_name(uint64_t bytes);

// Writes a nophook_type for each described type of the debug info.
template <IsDebugType Type> class SourceTypes {
public:
  SourceTypes(RecordTable &table, nophook_kind long_double)
      : table_(table), long_double_(long_double) {}

  // `is_c`: names of tags begin with `struct` or the like.
  Described describe(Type type, bool is_c) { return describe(type, 0, is_c); }

private:
  Described describe(Type type, unsigned depth, bool is_c) {
    const Type bare = without_names(type);
    if (!bare)
      return {};
    if (const auto found = described_.find(type.key()); found != described_.end())
      return found->second;
    // No valid type holds itself by value; damaged debug info may say so.
    if (depth > kDeepestType || !open_.insert(bare.key()).second) {
      Shape opaque;
      opaque.bytes = bare.bytes();
      return write_type(table_, opaque, names_.name(type, is_c));
    }
    const Shape shape = shape_of(bare, depth + 1, is_c);
    open_.erase(bare.key());
    // The library's own spelling of these types is a line long, or contains too little.
    std::string name = names_.name(type, is_c);
    if (type.key() == bare.key() && shape.kind == NOPHOOK_KIND_COMPLEX)
      name = complex_name(shape.bytes);
    if (const std::optional<TextLayout> layout = text_layout(type.identifier()))
      name = layout->name;
    return described_[type.key()] = write_type(table_, shape, name);
  }

  Shape shape_of(Type type, unsigned depth, bool is_c) {
    switch (const unsigned tag = type.tag()) {
    case llvm::dwarf::DW_TAG_base_type:
    case llvm::dwarf::DW_TAG_unspecified_type:
      return basic_shape(table_, tag, type.name(), type.encoding(), type.bytes(), long_double_);
    case llvm::dwarf::DW_TAG_pointer_type:
    case llvm::dwarf::DW_TAG_reference_type:
    case llvm::dwarf::DW_TAG_rvalue_reference_type:
      return pointer(type, depth, is_c);
    case llvm::dwarf::DW_TAG_ptr_to_member_type:
      return member_pointer_shape(table_, type.bytes());
    case llvm::dwarf::DW_TAG_enumeration_type:
      return enumeration(type, depth, is_c);
    case llvm::dwarf::DW_TAG_array_type:
      return array(type, depth, is_c);
    case llvm::dwarf::DW_TAG_structure_type:
    case llvm::dwarf::DW_TAG_class_type:
    case llvm::dwarf::DW_TAG_union_type:
      return aggregate(type, depth, is_c);
    default: {
      Shape shape;
      shape.bytes = type.bytes();
      return shape;
    }
    }
  }

  Shape pointer(Type type, unsigned depth, bool is_c) {
    Shape shape;
    shape.bytes = 8;
    const Type to = without_names(type.base());
    const unsigned to_tag = to ? to.tag() : 0;
    const bool is_basic =
        to_tag == llvm::dwarf::DW_TAG_base_type || to_tag == llvm::dwarf::DW_TAG_unspecified_type;
    const bool is_pointer = type.tag() == llvm::dwarf::DW_TAG_pointer_type;
    // Whether it is exactly the type `char`, whose arrays are texts; not uint8_t, nor Rust's of 4
    // bytes.
    const bool is_byte = to_tag == llvm::dwarf::DW_TAG_base_type && to.bytes() == 1;
    if (is_pointer && is_byte && to.name() == "char") {
      shape.kind = NOPHOOK_KIND_C_STRING;
      return shape;
    }
    shape.kind = is_pointer ? NOPHOOK_KIND_POINTER : NOPHOOK_KIND_REFERENCE;
    const bool is_text = to && text_layout(to.identifier());
    const bool is_enum = to_tag == llvm::dwarf::DW_TAG_enumeration_type;
    if (is_text || (!is_pointer && (is_basic || is_enum)))
      shape.element = describe(type.base(), depth, is_c).target;
    return shape;
  }

  Shape enumeration(Type type, unsigned depth, bool is_c) {
    Shape shape;
    shape.kind = NOPHOOK_KIND_ENUM;
    shape.bytes = type.bytes();
    shape.element = describe(type.base(), depth, is_c).target;
    for (const DebugEnumerator &item : type.enumerators(NOPHOOK_MAX_MEMBERS + 1))
      shape.members.push_back({table_.text(item.name), {}, item.value});
    return shape;
  }

  Shape array(Type type, unsigned depth, bool is_c) {
    Shape shape;
    shape.kind = type.is_vector() ? NOPHOOK_KIND_VECTOR : NOPHOOK_KIND_ARRAY;
    shape.bytes = type.bytes();
    const Described element = describe(type.base(), depth, is_c);
    if (!element.target || !element.bytes || shape.bytes % element.bytes)
      shape.kind = NOPHOOK_KIND_OPAQUE;
    else
      shape.element = element.target;
    return shape;
  }

  Shape aggregate(Type type, unsigned depth, bool is_c) {
    if (const std::optional<TextLayout> layout = text_layout(type.identifier()))
      return text_shape(table_, *layout);
    Shape shape;
    shape.bytes = type.bytes();
    if (type.is_declaration())
      return shape;
    if constexpr (requires { type.variants(1u); })
      if (const auto variants = type.variants(NOPHOOK_MAX_MEMBERS / 2 - 1))
        return variant(*variants, shape, depth, is_c);
    shape.kind =
        type.tag() == llvm::dwarf::DW_TAG_union_type ? NOPHOOK_KIND_UNION : NOPHOOK_KIND_STRUCT;
    const DebugMembers<Type> members = type.members(NOPHOOK_MAX_MEMBERS);
    bool has_data = members.has_hidden || members.has_more;
    shape.has_more = members.has_more;
    for (const DebugMember<Type> &member : members.fixed) {
      const Described part = describe(member.type, depth, is_c);
      if (part.is_empty)
        continue;
      has_data = true;
      const uint64_t bits = member.bits ? member.bits : part.bytes * 8;
      if (member.bit <= UINT32_MAX && bits <= UINT32_MAX)
        shape.members.push_back(field(table_, member.name, part.target, member.bit, bits));
      else
        shape.has_more = true;
    }
    shape.is_empty = !has_data;
    return shape;
  }

  Shape variant(const DebugVariants<Type> &variants, Shape shape, unsigned depth, bool is_c) {
    const Described number = describe(variants.number_type, depth, is_c);
    shape.is_empty = variants.cases.empty();
    shape.kind = NOPHOOK_KIND_VARIANT;
    shape.element = number.target;
    shape.members.push_back(
        field(table_, "", number.target, variants.number_bit, number.bytes * 8));
    for (const auto &one : variants.cases) {
      const Described type = describe(one.type, depth, is_c);
      shape.has_default = !one.number;
      shape.members.push_back({table_.text(one.name), {}, one.number.value_or(0)});
      shape.members.push_back(field(table_, "", type.target, one.bit, type.bytes * 8));
    }
    return shape;
  }

  RecordTable &table_;
  const nophook_kind long_double_;
  TypeNames<Type> names_;
  llvm::DenseMap<const void *, Described> described_;
  llvm::SmallPtrSet<const void *, 8> open_; // types that are being described, outermost first
};

} // namespace nophook::prototypes

#endif // NOPHOOK_PROTOTYPES_SOURCE_TYPES_H
