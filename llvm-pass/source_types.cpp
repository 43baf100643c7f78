// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a value means: debug info's types, reduced to what is needed to show a value.
//
// By value only. A pointer is told with its name and no more, so nothing recurses for ever;
// exceptions are those that people want to see through: pointers to char, references to what
// is no class, and std::string and std::string_view, of which the address and the length of
// the text are told, so that no reader must know the C++ library. They are recognized by the
// mangled name in their type's identifier: debug info has often only their declaration, since
// the library instantiates them.
//
// Without debug info the IR has sizes, and signs only where a value was extended.

#include "source_types.h"

#include "parameter_marks.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"

namespace nophook {
namespace {

constexpr unsigned kDeepest = 32;

// Without typedefs and qualifiers. They have no size of their own.
const llvm::DIType *strip(const llvm::DIType *type) {
  for (unsigned depth = 0; depth < kDeepest; depth++) {
    const auto *derived = llvm::dyn_cast_or_null<llvm::DIDerivedType>(type);
    if (!derived)
      return type;
    switch (derived->getTag()) {
    case llvm::dwarf::DW_TAG_typedef:
    case llvm::dwarf::DW_TAG_template_alias:
    case llvm::dwarf::DW_TAG_const_type:
    case llvm::dwarf::DW_TAG_volatile_type:
    case llvm::dwarf::DW_TAG_restrict_type:
    case llvm::dwarf::DW_TAG_atomic_type:
      type = derived->getBaseType();
      break;
    default:
      return type;
    }
  }
  return nullptr;
}

uint64_t bytes_of(const llvm::DIType &type) {
  return type.getSizeInBits() / 8;
}

bool is_integer(uint8_t kind) {
  return kind == NOPHOOK_KIND_SIGNED || kind == NOPHOOK_KIND_UNSIGNED ||
         kind == NOPHOOK_KIND_CHAR || kind == NOPHOOK_KIND_ENUM;
}

// Exactly the type `char`, whose arrays are texts; not uint8_t.
bool is_char(const llvm::DIType *type) {
  const auto *basic = llvm::dyn_cast_or_null<llvm::DIBasicType>(strip(type));
  return basic && basic->getName() == "char";
}

// (bit offset of the address, of the length) in the known string classes.
struct TextLayout {
  uint64_t bytes, address_bit, length_bit;
  const char *name;
};
std::optional<TextLayout> text_layout(llvm::StringRef identifier) {
  return llvm::StringSwitch<std::optional<TextLayout>>(identifier)
      .Case("_ZTSNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE",
            TextLayout{32, 0, 64, "std::string"})
      .Case("_ZTSSt17basic_string_viewIcSt11char_traitsIcEE",
            TextLayout{16, 64, 0, "std::string_view"})
      .Case("_ZTSNSt3__117basic_string_viewIcNS_11char_traitsIcEEEE",
            TextLayout{16, 0, 64, "std::string_view"})
      .Default(std::nullopt);
}

} // namespace

Described SourceTypes::write(const Shape &shape, llvm::StringRef name) {
  Record record;
  const size_t members = std::min<size_t>(shape.members.size(), NOPHOOK_MAX_MEMBERS);
  const bool has_more = shape.has_more || members < shape.members.size();
  record.add(
      NOPHOOK_HEAD(NOPHOOK_RECORD_TYPE, sizeof(nophook_type) + members * sizeof(nophook_member)));
  record.add(uint32_t(shape.kind) | (has_more ? NOPHOOK_TYPE_MORE << 8 : 0u) |
             uint32_t(members) << 16);
  record.add(uint32_t(std::min<uint64_t>(shape.bytes, UINT32_MAX)));
  record.add(writer_.string(name));
  record.add(shape.element);
  for (const Member &member : llvm::ArrayRef(shape.members).take_front(members)) {
    record.add(member.name);
    record.add(member.type);
    record.add(uint32_t(member.low_high));
    record.add(uint32_t(member.low_high >> 32));
  }
  return {writer_.record(record, record.hash(), "type"), shape.kind, shape.bytes, shape.is_empty,
          is_integer(shape.kind) && shape.members.empty()};
}

Target SourceTypes::simple(uint8_t kind, uint64_t bytes, llvm::StringRef name) {
  Shape shape;
  shape.kind = kind;
  shape.bytes = bytes;
  return write(shape, name).target;
}

SourceTypes::Member SourceTypes::field(llvm::StringRef name, Target type, uint64_t bit,
                                       uint64_t bits) {
  return {writer_.string(name), type, uint64_t(uint32_t(bit)) | bits << 32};
}

SourceTypes::Shape SourceTypes::basic(const llvm::DIBasicType &type) {
  Shape shape;
  shape.bytes = bytes_of(type);
  const llvm::StringRef name = type.getName();
  // Only its name tells how many bits it has, if at all; the others of a register are undefined.
  uint64_t bits = 0;
  if (llvm::StringRef digits = name; (digits.consume_front("unsigned "), true) &&
                                     digits.consume_front("_BitInt(") &&
                                     !digits.consumeInteger(10, bits) && bits < shape.bytes * 8)
    shape.members.push_back(field("", {}, 0, bits));
  else if (name.ends_with("_BitInt"))
    return shape;
  const bool is_x87 = name.contains("long double") && shape.bytes == 16;
  switch (type.getEncoding()) {
  case llvm::dwarf::DW_ATE_boolean:
    shape.kind = NOPHOOK_KIND_BOOL;
    break;
  case llvm::dwarf::DW_ATE_float:
    shape.kind = is_x87                                          ? NOPHOOK_KIND_X87
                 : name == "__bf16" || name == "std::bfloat16_t" ? NOPHOOK_KIND_BFLOAT
                                                                 : NOPHOOK_KIND_FLOAT;
    break;
  case llvm::dwarf::DW_ATE_complex_float: {
    const bool is_long = shape.bytes == 32 && !name.contains("128");
    shape.kind = NOPHOOK_KIND_COMPLEX;
    shape.element = simple(is_long ? NOPHOOK_KIND_X87 : NOPHOOK_KIND_FLOAT, shape.bytes / 2,
                           is_long            ? "long double"
                           : shape.bytes == 8 ? "float"
                                              : "double");
    break;
  }
  case llvm::dwarf::DW_ATE_signed:
    shape.kind = name == "wchar_t" ? NOPHOOK_KIND_CHAR : NOPHOOK_KIND_SIGNED;
    break;
  case llvm::dwarf::DW_ATE_unsigned:
    shape.kind = name == "wchar_t" ? NOPHOOK_KIND_CHAR : NOPHOOK_KIND_UNSIGNED;
    break;
  case llvm::dwarf::DW_ATE_signed_char:
    shape.kind = name == "char" ? NOPHOOK_KIND_CHAR : NOPHOOK_KIND_SIGNED;
    break;
  case llvm::dwarf::DW_ATE_unsigned_char:
    shape.kind = name == "char" ? NOPHOOK_KIND_CHAR : NOPHOOK_KIND_UNSIGNED;
    break;
  case llvm::dwarf::DW_ATE_UTF:
    shape.kind = NOPHOOK_KIND_CHAR;
    break;
  default: // decltype(nullptr)
    if (type.getTag() == llvm::dwarf::DW_TAG_unspecified_type) {
      shape.kind = NOPHOOK_KIND_POINTER;
      shape.bytes = 8;
    }
  }
  return shape;
}

SourceTypes::Shape SourceTypes::pointer(const llvm::DIDerivedType &type, unsigned depth,
                                        bool is_c) {
  Shape shape;
  shape.bytes = 8;
  const llvm::DIType *to = strip(type.getBaseType());
  const bool is_pointer = type.getTag() == llvm::dwarf::DW_TAG_pointer_type;
  if (is_pointer && is_char(to)) {
    shape.kind = NOPHOOK_KIND_C_STRING;
    return shape;
  }
  shape.kind = is_pointer ? NOPHOOK_KIND_POINTER : NOPHOOK_KIND_REFERENCE;
  const auto *class_type = llvm::dyn_cast_or_null<llvm::DICompositeType>(to);
  const bool is_text = class_type && text_layout(class_type->getIdentifier());
  const bool is_enum = class_type && class_type->getTag() == llvm::dwarf::DW_TAG_enumeration_type;
  if (is_text || (!is_pointer && (llvm::isa_and_nonnull<llvm::DIBasicType>(to) || is_enum)))
    shape.element = describe(type.getBaseType(), depth, is_c).target;
  return shape;
}

// As the Itanium ABI has them: an offset, or an address and what to add to `this`.
SourceTypes::Shape SourceTypes::member_pointer(const llvm::DIDerivedType &type) {
  Shape shape;
  shape.bytes = bytes_of(type);
  if (shape.bytes == 8) {
    shape.kind = NOPHOOK_KIND_SIGNED;
  } else if (shape.bytes == 16) {
    shape.kind = NOPHOOK_KIND_STRUCT;
    shape.members.push_back(field("ptr", simple(NOPHOOK_KIND_UNSIGNED, 8, "unsigned long"), 0, 64));
    shape.members.push_back(field("adj", simple(NOPHOOK_KIND_SIGNED, 8, "long"), 64, 64));
  }
  return shape;
}

SourceTypes::Shape SourceTypes::enumeration(const llvm::DICompositeType &type, unsigned depth,
                                            bool is_c) {
  Shape shape;
  shape.kind = NOPHOOK_KIND_ENUM;
  shape.bytes = bytes_of(type);
  shape.element = describe(type.getBaseType(), depth, is_c).target;
  for (const llvm::DINode *node : type.getElements())
    if (const auto *item = llvm::dyn_cast_or_null<llvm::DIEnumerator>(node)) {
      if (shape.members.size() == NOPHOOK_MAX_MEMBERS) {
        shape.has_more = true;
        break;
      }
      shape.members.push_back(
          {writer_.string(item->getName()), {}, item->getValue().sextOrTrunc(64).getZExtValue()});
    }
  return shape;
}

SourceTypes::Shape SourceTypes::array(const llvm::DICompositeType &type, unsigned depth,
                                      bool is_c) {
  Shape shape;
  shape.kind = type.isVector() ? NOPHOOK_KIND_VECTOR : NOPHOOK_KIND_ARRAY;
  shape.bytes = bytes_of(type);
  const Described element = describe(type.getBaseType(), depth, is_c);
  if (!element.target.variable || !element.bytes || shape.bytes % element.bytes)
    shape.kind = NOPHOOK_KIND_OPAQUE;
  else
    shape.element = element.target;
  return shape;
}

std::optional<SourceTypes::Shape> SourceTypes::text(const llvm::DICompositeType &type) {
  const std::optional<TextLayout> layout = text_layout(type.getIdentifier());
  if (!layout)
    return std::nullopt;
  Shape shape;
  shape.kind = NOPHOOK_KIND_STRING;
  shape.bytes = layout->bytes;
  shape.members.push_back(
      field("data", simple(NOPHOOK_KIND_POINTER, 8, "const char *"), layout->address_bit, 64));
  shape.members.push_back(
      field("size", simple(NOPHOOK_KIND_UNSIGNED, 8, "unsigned long"), layout->length_bit, 64));
  return shape;
}

SourceTypes::Shape SourceTypes::aggregate(const llvm::DICompositeType &type, unsigned depth,
                                          bool is_c) {
  if (std::optional<Shape> known = text(type))
    return *std::move(known);
  Shape shape;
  shape.bytes = bytes_of(type);
  if (type.isForwardDecl())
    return shape;
  shape.kind =
      type.getTag() == llvm::dwarf::DW_TAG_union_type ? NOPHOOK_KIND_UNION : NOPHOOK_KIND_STRUCT;
  bool has_data = false;
  for (const llvm::DINode *node : type.getElements()) {
    const auto *item = llvm::dyn_cast_or_null<llvm::DIDerivedType>(node);
    if (!item || item->isStaticMember())
      continue;
    const bool is_base = item->getTag() == llvm::dwarf::DW_TAG_inheritance;
    if (!is_base && item->getTag() != llvm::dwarf::DW_TAG_member)
      continue;
    if (item->isArtificial() || item->isVirtual()) { // vptr; virtual bases have no fixed place
      has_data = true;
      continue;
    }
    if (shape.members.size() == NOPHOOK_MAX_MEMBERS) {
      shape.has_more = true;
      break;
    }
    const Described part = describe(item->getBaseType(), depth, is_c);
    if (part.is_empty)
      continue;
    has_data = true;
    const uint64_t bits = is_base ? part.bytes * 8 : item->getSizeInBits();
    const llvm::StringRef name = is_base ? llvm::StringRef() : item->getName();
    if (item->getOffsetInBits() <= UINT32_MAX && bits <= UINT32_MAX)
      shape.members.push_back(field(name, part.target, item->getOffsetInBits(), bits));
    else
      shape.has_more = true;
  }
  shape.is_empty = !has_data;
  return shape;
}

SourceTypes::Shape SourceTypes::shape_of(const llvm::DIType &type, unsigned depth, bool is_c) {
  if (const auto *simple_type = llvm::dyn_cast<llvm::DIBasicType>(&type))
    return basic(*simple_type);
  Shape shape;
  shape.bytes = bytes_of(type);
  if (const auto *derived = llvm::dyn_cast<llvm::DIDerivedType>(&type)) {
    switch (derived->getTag()) {
    case llvm::dwarf::DW_TAG_pointer_type:
    case llvm::dwarf::DW_TAG_reference_type:
    case llvm::dwarf::DW_TAG_rvalue_reference_type:
      return pointer(*derived, depth, is_c);
    case llvm::dwarf::DW_TAG_ptr_to_member_type:
      return member_pointer(*derived);
    default:
      return shape;
    }
  }
  const auto *composite = llvm::dyn_cast<llvm::DICompositeType>(&type);
  if (!composite)
    return shape;
  switch (composite->getTag()) {
  case llvm::dwarf::DW_TAG_enumeration_type:
    return enumeration(*composite, depth, is_c);
  case llvm::dwarf::DW_TAG_array_type:
    return array(*composite, depth, is_c);
  case llvm::dwarf::DW_TAG_structure_type:
  case llvm::dwarf::DW_TAG_class_type:
  case llvm::dwarf::DW_TAG_union_type:
    return aggregate(*composite, depth, is_c);
  default:
    return shape;
  }
}

Described SourceTypes::describe(const llvm::DIType *type, unsigned depth, bool is_c) {
  const llvm::DIType *bare = strip(type);
  if (!bare)
    return {};
  if (const auto found = described_.find(type); found != described_.end())
    return found->second;
  // No valid type holds itself by value; damaged debug info may say so.
  if (depth > kDeepest || !open_.insert(bare).second) {
    Shape opaque;
    opaque.bytes = bytes_of(*bare);
    return write(opaque, names_.name(type, is_c));
  }
  const Shape shape = shape_of(*bare, depth + 1, is_c);
  open_.erase(bare);
  // The library's own spelling of these is a line long, or says too little.
  std::string name = names_.name(type, is_c);
  if (type == bare && shape.kind == NOPHOOK_KIND_COMPLEX)
    name = shape.bytes == 8    ? "_Complex float"
           : shape.bytes == 16 ? "_Complex double"
                               : "_Complex long double";
  if (const auto *composite = llvm::dyn_cast<llvm::DICompositeType>(type))
    if (const std::optional<TextLayout> layout = text_layout(composite->getIdentifier()))
      name = layout->name;
  return described_[type] = write(shape, name);
}

Described SourceTypes::describe(const llvm::DIType *type, bool is_c) {
  return describe(type, 0, is_c);
}

Described SourceTypes::describe(const llvm::Type *type, uint64_t bytes, bool is_signed,
                                bool is_unsigned) {
  Shape shape;
  shape.bytes = bytes;
  std::string name = text_of(type);
  if (type->isIntegerTy(1))
    shape.kind = NOPHOOK_KIND_BOOL;
  else if (type->isIntegerTy())
    shape.kind = is_signed     ? NOPHOOK_KIND_SIGNED
                 : is_unsigned ? NOPHOOK_KIND_UNSIGNED
                               : NOPHOOK_KIND_INTEGER;
  else if (type->isPointerTy())
    shape.kind = NOPHOOK_KIND_POINTER;
  else if (type->isX86_FP80Ty())
    shape.kind = NOPHOOK_KIND_X87;
  else if (type->isBFloatTy())
    shape.kind = NOPHOOK_KIND_BFLOAT;
  else if (type->isHalfTy() || type->isFloatTy() || type->isDoubleTy() || type->isFP128Ty())
    shape.kind = NOPHOOK_KIND_FLOAT;
  else if (const auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(type)) {
    const uint64_t element = vector->getScalarSizeInBits() / 8;
    if (element && element * vector->getNumElements() == bytes) {
      shape.kind = NOPHOOK_KIND_VECTOR;
      shape.element = describe(vector->getElementType(), element, false, false).target;
    }
  }
  return write(shape, name);
}

} // namespace nophook
