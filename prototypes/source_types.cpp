// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parts of types that do not depend on the form of the debug info.

#include "source_types.h"

#include "llvm/ADT/StringSwitch.h"

namespace nophook::prototypes {

std::optional<TextLayout> text_layout(llvm::StringRef identifier) {
  if (identifier.empty())
    return std::nullopt;
  return llvm::StringSwitch<std::optional<TextLayout>>(identifier)
      .Case("_ZTSNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE",
            TextLayout{32, 0, 64, "std::string"})
      .Case("_ZTSSt17basic_string_viewIcSt11char_traitsIcEE",
            TextLayout{16, 64, 0, "std::string_view"})
      .Case("_ZTSNSt3__117basic_string_viewIcNS_11char_traitsIcEEEE",
            TextLayout{16, 0, 64, "std::string_view"})
      .Case("rust &str", TextLayout{16, 0, 64, "&str"})
      .Case("rust String", TextLayout{24, 64, 128, "String"})
      .Default(std::nullopt);
}

Shape basic_shape(RecordTable &table, unsigned tag, llvm::StringRef name, unsigned encoding,
                  uint64_t bytes, nophook_kind long_double) {
  Shape shape;
  shape.bytes = bytes;
  // The bits of an integer: only its name may have them; the other bits of a register are
  // undefined.
  uint64_t bits = 0;
  if (llvm::StringRef digits = name; (digits.consume_front("unsigned "), true) &&
                                     digits.consume_front("_BitInt(") &&
                                     !digits.consumeInteger(10, bits) && bits < shape.bytes * 8)
    shape.members.push_back(field(table, "", {}, 0, bits));
  else if (name.ends_with("_BitInt"))
    return shape;
  const bool is_long = name.contains("long double") && shape.bytes == 16;
  switch (encoding) {
  case llvm::dwarf::DW_ATE_boolean:
    shape.kind = NOPHOOK_KIND_BOOL;
    break;
  case llvm::dwarf::DW_ATE_float:
    shape.kind = is_long                                         ? long_double
                 : name == "__bf16" || name == "std::bfloat16_t" ? NOPHOOK_KIND_BFLOAT
                                                                 : NOPHOOK_KIND_FLOAT;
    break;
  case llvm::dwarf::DW_ATE_complex_float: {
    const bool is_long = shape.bytes == 32 && !name.contains("128");
    shape.kind = NOPHOOK_KIND_COMPLEX;
    shape.element = simple_type(table, is_long ? long_double : NOPHOOK_KIND_FLOAT, shape.bytes / 2,
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
    if (tag == llvm::dwarf::DW_TAG_unspecified_type) {
      shape.kind = NOPHOOK_KIND_POINTER;
      shape.bytes = 8;
    }
  }
  return shape;
}

Shape text_shape(RecordTable &table, const TextLayout &layout) {
  Shape shape;
  shape.kind = NOPHOOK_KIND_STRING;
  shape.bytes = layout.bytes;
  shape.members.push_back(field(table, "data",
                                simple_type(table, NOPHOOK_KIND_POINTER, 8, "const char *"),
                                layout.address_bit, 64));
  shape.members.push_back(field(table, "size",
                                simple_type(table, NOPHOOK_KIND_UNSIGNED, 8, "unsigned long"),
                                layout.length_bit, 64));
  return shape;
}

// Members of a pointer to member, by the Itanium ABI: an offset, or an address and a number that is
// added to `this`.
Shape member_pointer_shape(RecordTable &table, uint64_t bytes) {
  Shape shape;
  shape.bytes = bytes;
  if (bytes == 8) {
    shape.kind = NOPHOOK_KIND_SIGNED;
  } else if (bytes == 16) {
    shape.kind = NOPHOOK_KIND_STRUCT;
    shape.members.push_back(
        field(table, "ptr", simple_type(table, NOPHOOK_KIND_UNSIGNED, 8, "unsigned long"), 0, 64));
    shape.members.push_back(
        field(table, "adj", simple_type(table, NOPHOOK_KIND_SIGNED, 8, "long"), 64, 64));
  }
  return shape;
}

const char *complex_name(uint64_t bytes) {
  return bytes == 8 ? "_Complex float" : bytes == 16 ? "_Complex double" : "_Complex long double";
}

} // namespace nophook::prototypes
