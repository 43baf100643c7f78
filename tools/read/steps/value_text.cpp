// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prints a value by its type, with bounds for depth and length.

#include "read/steps/value_text.h"

#include "read/steps/extended_float.h"

#include <nophook/buffer.h>

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

namespace nophook {

namespace {

using Bytes = std::span<const uint8_t>;

constexpr unsigned kDeepest = 24; // the most structures in structures
constexpr unsigned kMostSteps = 10000;
constexpr size_t kMostKept = NOPHOOK_VALUE_OBJECT_BYTES; // size of the largest recorded object

unsigned __int128 unsigned_of(Bytes bytes) {
  unsigned __int128 value = 0;
  std::memcpy(&value, bytes.data(), std::min(bytes.size(), sizeof value));
  return value;
}

__int128 signed_of(Bytes bytes) {
  unsigned __int128 value = unsigned_of(bytes);
  unsigned shift = bytes.size() < 16 ? 8 * (16 - (unsigned)bytes.size()) : 0;
  return (__int128)(value << shift) >> shift;
}

template <class Float> Float float_of(Bytes bytes) {
  Float value = 0;
  std::memcpy(&value, bytes.data(), std::min(bytes.size(), sizeof value));
  return value;
}

// The shortest text that reads back as the same number.
template <class Float> std::string float_text(Float value) {
  return fmt::format("{}", value);
}

std::string float_text(Bytes bytes) {
  switch (bytes.size()) {
  case 2:
    return float_text((float)float_of<_Float16>(bytes));
  case 4:
    return float_text(float_of<float>(bytes));
  case 8:
    return float_text(float_of<double>(bytes));
  default:
    return quad_text(bytes);
  }
}

std::string bfloat_text(Bytes bytes) {
  uint32_t bits = (uint32_t)unsigned_of(bytes) << 16;
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return float_text(value);
}

std::string escaped(uint32_t c, char quote) {
  switch (c) {
  case '\n':
    return "\\n";
  case '\t':
    return "\\t";
  case '\\':
    return "\\\\";
  default:
    if (c == (uint32_t)quote)
      return std::string("\\") + quote;
    return c < 0x20 || c >= 0x7f ? fmt::format("\\x{:02x}", c) : std::string(1, (char)c);
  }
}

// Bytes that are not UTF-8 are shown, not replaced: the text may be in another encoding, or none.
std::string quoted(std::string_view text, bool is_cut) {
  std::string result = "\"";
  while (!text.empty()) {
    size_t n = printable_length(text);
    if (n > 1)
      result += text.substr(0, n);
    else
      result += escaped((uint8_t)text[0], '"');
    text.remove_prefix(std::max<size_t>(n, 1));
  }
  return result + (is_cut ? "\"..." : "\"");
}

std::string char_text(Bytes bytes) {
  auto c = (uint32_t)unsigned_of(bytes);
  return c < 0x80 ? "'" + escaped(c, '\'') + "'" : fmt::format("'\\u{{{:x}}}'", c);
}

std::string hexadecimal(Bytes bytes, size_t limit) {
  std::string text = "bytes";
  for (uint8_t byte : bytes.first(std::min(bytes.size(), limit)))
    text += fmt::format(" {:02x}", byte);
  return bytes.size() > limit ? text + " ..." : text;
}

bool is_number(const Type &type) {
  return type.kind == NOPHOOK_KIND_SIGNED || type.kind == NOPHOOK_KIND_UNSIGNED ||
         type.kind == NOPHOOK_KIND_BOOL || type.kind == NOPHOOK_KIND_CHAR ||
         type.kind == NOPHOOK_KIND_ENUM;
}

class Printer {
public:
  Printer(const ReadMemory &memory, const ValueLimits &limits, const ValueBytes &value)
      : memory_(memory), limits_(limits), value_(value) {}

  // The text of a value, with a `?` behind a part that callers may not have passed.
  std::string text(const Type *type, Bytes bytes, unsigned depth = 0) {
    const bool has_parts = type && (type->kind == NOPHOOK_KIND_STRUCT ||
                                    type->kind == NOPHOOK_KIND_VARIANT || is_list(*type));
    const bool is_doubtful = !has_parts && std::ranges::any_of(value_.doubtful, [&](auto part) {
      return at_ < part.second && part.first < at_ + bytes.size();
    });
    return plain_text(type, bytes, depth) + (is_doubtful ? "?" : "");
  }

private:
  // Offset of the memory that a pointer leads to.
  static constexpr uint64_t kElsewhere = uint64_t{1} << 62;

  // The text of a part of the present value, `offset` bytes behind its start.
  std::string part_text(const Type *type, Bytes bytes, uint64_t offset, unsigned depth) {
    return within(offset, [&] { return text(type, bytes, depth); });
  }
  template <class Make> std::string within(uint64_t offset, Make make) {
    at_ += offset;
    std::string result = make();
    at_ -= offset;
    return result;
  }

  static bool is_text(const Type &array) {
    return array.element && array.element->kind == NOPHOOK_KIND_CHAR && array.element->bytes == 1;
  }
  static bool is_list(const Type &type) {
    return (type.kind == NOPHOOK_KIND_ARRAY && !is_text(type)) || type.kind == NOPHOOK_KIND_VECTOR;
  }

  std::string plain_text(const Type *type, Bytes bytes, unsigned depth) {
    if (steps_++ > kMostSteps)
      return "...";
    if (!type || depth > kDeepest)
      return hexadecimal(bytes, limits_.elements);
    if (limits_.hex && is_number(*type))
      return fmt::format("{:#x}", unsigned_of(bytes));
    switch (type->kind) {
    case NOPHOOK_KIND_INTEGER:
      return fmt::format("{:#x}", unsigned_of(bytes));
    case NOPHOOK_KIND_SIGNED:
      if (!type->members.empty())
        bytes = used_bits(*type, bytes);
      return fmt::format("{}", signed_of(bytes));
    case NOPHOOK_KIND_UNSIGNED:
      if (!type->members.empty())
        bytes = used_bits(*type, bytes);
      return fmt::format("{}", unsigned_of(bytes));
    case NOPHOOK_KIND_BOOL: {
      auto value = (unsigned)unsigned_of(bytes);
      return value > 1 ? std::to_string(value) : value ? "true" : "false";
    }
    case NOPHOOK_KIND_CHAR:
      return char_text(bytes);
    case NOPHOOK_KIND_POINTER:
    case NOPHOOK_KIND_REFERENCE:
      return pointer(*type, bytes, depth);
    case NOPHOOK_KIND_C_STRING:
      return c_string(bytes);
    case NOPHOOK_KIND_STRING:
      return string(*type, bytes);
    case NOPHOOK_KIND_FLOAT:
      return float_text(bytes);
    case NOPHOOK_KIND_BFLOAT:
      return bfloat_text(bytes);
    case NOPHOOK_KIND_X87:
      return x87_text(bytes);
    case NOPHOOK_KIND_COMPLEX:
      return complex(*type, bytes, depth);
    case NOPHOOK_KIND_VECTOR:
      return elements(*type, bytes, depth, "<", ">");
    case NOPHOOK_KIND_ARRAY:
      return array(*type, bytes, depth);
    case NOPHOOK_KIND_ENUM:
      return enumerator(*type, bytes, depth);
    case NOPHOOK_KIND_STRUCT:
    case NOPHOOK_KIND_UNION:
      return "{" + fields(*type, bytes, depth) + "}";
    case NOPHOOK_KIND_VARIANT:
      return variant(*type, bytes, depth);
    default:
      return hexadecimal(bytes, limits_.elements);
    }
  }

  std::string address_text(Bytes bytes) {
    return fmt::format("{:#x}", (uint64_t)unsigned_of(bytes));
  }

  // The text of a pointer. References show their targets; pointers to text, the text as well.
  std::string pointer(const Type &type, Bytes bytes, unsigned depth) {
    auto address = (uint64_t)unsigned_of(bytes);
    std::vector<uint8_t> to(type.element ? std::min<uint64_t>(type.element->bytes, 4096) : 0);
    if (to.empty() || !address || memory_(address, to.data(), to.size()) < to.size())
      return address_text(bytes);
    return (type.kind == NOPHOOK_KIND_POINTER ? "&" : "") +
           part_text(type.element, to, kElsewhere, depth + 1);
  }

  std::string c_string(Bytes bytes) {
    auto address = (uint64_t)unsigned_of(bytes);
    std::string text(limits_.text + 1, '\0');
    text.resize(address ? memory_(address, text.data(), text.size()) : 0);
    size_t end = text.find('\0');
    if (end != std::string::npos)
      return quoted(text.substr(0, end), false);
    return text.size() > limits_.text ? quoted(text.substr(0, limits_.text), true)
                                      : address_text(bytes);
  }

  std::string string(const Type &type, Bytes bytes) {
    if (type.members.size() != 2)
      return hexadecimal(bytes, limits_.elements);
    auto address = (uint64_t)unsigned_of(part(bytes, type.members[0].bit / 8, 8));
    auto length = (uint64_t)unsigned_of(part(bytes, type.members[1].bit / 8, 8));
    std::string text(std::min<uint64_t>(length, limits_.text), '\0');
    if (!text.empty() && memory_(address, text.data(), text.size()) < text.size())
      return fmt::format("{{{:#x}, {}}}", address, length);
    return quoted(text, length > text.size());
  }

  std::string complex(const Type &type, Bytes bytes, unsigned depth) {
    size_t half = bytes.size() / 2;
    std::string imaginary = text(type.element, bytes.subspan(half), depth + 1);
    return text(type.element, bytes.first(half), depth + 1) +
           (imaginary.starts_with("-") ? "" : "+") + imaginary + "i";
  }

  std::string elements(const Type &type, Bytes bytes, unsigned depth, const char *open,
                       const char *close) {
    uint64_t size = type.element ? type.element->bytes : 0;
    if (!size)
      return hexadecimal(bytes, limits_.elements);
    std::string result = open;
    size_t count = bytes.size() / size;
    for (size_t i = 0; i < count; i++) {
      if (i == limits_.elements || used_ + result.size() > limits_.length)
        return result + ", ..." + close;
      result += (i ? ", " : "") +
                part_text(type.element, bytes.subspan(i * size, size), i * size, depth + 1);
    }
    used_ += result.size();
    return result + close;
  }

  std::string array(const Type &type, Bytes bytes, unsigned depth) {
    if (!is_text(type))
      return elements(type, bytes, depth, "[", "]");
    std::string_view text(reinterpret_cast<const char *>(bytes.data()), bytes.size());
    text = text.substr(0, text.find('\0'));
    return quoted(text.substr(0, limits_.text), text.size() > limits_.text);
  }

  std::string enumerator(const Type &type, Bytes bytes, unsigned depth) {
    bool is_signed = type.element && (type.element->kind == NOPHOOK_KIND_SIGNED ||
                                      type.element->kind == NOPHOOK_KIND_CHAR);
    uint64_t value = is_signed ? (uint64_t)signed_of(bytes) : (uint64_t)unsigned_of(bytes);
    uint64_t mask = bytes.size() < 8 ? (uint64_t{1} << 8 * bytes.size()) - 1 : ~uint64_t{0};
    for (const TypeMember &member : type.members)
      if ((member.value & mask) == (value & mask))
        return printable(member.name);
    return type.element ? text(type.element, bytes, depth + 1) : fmt::format("{}", (int64_t)value);
  }

  static std::vector<uint8_t> bits_of(Bytes bytes, uint32_t bit, uint32_t bits, bool is_signed,
                                      uint64_t size) {
    unsigned __int128 value = 0;
    size_t first = std::min<size_t>(bit / 8, bytes.size());
    std::memcpy(&value, bytes.data() + first, std::min<size_t>(16, bytes.size() - first));
    value <<= 128 - bits - bit % 8;
    value =
        is_signed ? (unsigned __int128)((__int128)value >> (128 - bits)) : value >> (128 - bits);
    std::vector<uint8_t> result(std::min<uint64_t>(size, 16));
    std::memcpy(result.data(), &value, result.size());
    return result;
  }

  // The used bits of a _BitInt, whose other bits mean nothing.
  Bytes used_bits(const Type &type, Bytes bytes) {
    const TypeMember &used = type.members[0];
    if (used.bit || !used.bits || used.bits > 8 * bytes.size() || bytes.size() > 16)
      return bytes;
    integer_ = bits_of(bytes, 0, used.bits, type.kind == NOPHOOK_KIND_SIGNED, bytes.size());
    return integer_;
  }

  static Bytes part(Bytes bytes, uint64_t at, uint64_t size) {
    at = std::min<uint64_t>(at, bytes.size());
    return bytes.subspan(at, std::min<uint64_t>(size, bytes.size() - at));
  }

  std::string fields(const Type &type, Bytes bytes, unsigned depth) {
    std::string result;
    for (const TypeMember &member : type.members) {
      if (!member.type || steps_++ > kMostSteps)
        continue;
      uint64_t size = member.type->bytes;
      if (used_ + result.size() > limits_.length)
        return result + ", ...";
      std::vector<uint8_t> field;
      if (member.bit % 8 || (member.bits < size * 8 && member.bits && size <= 16)) {
        if (!member.bits || member.bits > 64)
          continue;
        bool is_signed = member.type->kind == NOPHOOK_KIND_SIGNED ||
                         (member.type->element && member.type->kind == NOPHOOK_KIND_ENUM &&
                          member.type->element->kind == NOPHOOK_KIND_SIGNED);
        field = bits_of(bytes, member.bit, member.bits, is_signed, size);
      } else {
        Bytes where = part(bytes, member.bit / 8, size);
        field.assign(where.begin(), where.end());
        field.resize(std::min<uint64_t>(size, bytes.size())); // the missing bytes are zeros
      }
      bool is_base = member.name.empty() && member.type->kind == NOPHOOK_KIND_STRUCT;
      std::string value = within(member.bit / 8, [&] {
        return is_base ? fields(*member.type, field, depth + 1)
                       : text(member.type, field, depth + 1);
      });
      if (value.empty())
        continue;
      result += result.empty() ? "" : ", ";
      result += member.name.empty() || is_numbered(member.name)
                    ? value
                    : printable(member.name) + "=" + value;
    }
    if (type.has_more)
      result += ", ...";
    used_ += result.size();
    return result;
  }

  // The text of a variant, `Some(3)`, `None`: the case whose number is there. Numbers are compared
  // as they are in memory.
  std::string variant(const Type &type, Bytes bytes, unsigned depth) {
    const auto &members = type.members;
    const size_t cases = members.empty() ? 0 : (members.size() - 1) / 2;
    if (!cases)
      return hexadecimal(bytes, limits_.elements);
    const uint64_t number_bytes = std::min<uint64_t>(members[0].bits / 8, 8);
    const uint64_t mask = number_bytes < 8 ? (uint64_t{1} << 8 * number_bytes) - 1 : ~uint64_t{0};
    const auto number = (uint64_t)unsigned_of(part(bytes, members[0].bit / 8, number_bytes));
    if (!number_bytes && cases > 1) // at most one case can be there
      return "{}";
    size_t chosen = cases;
    for (size_t i = 0; i < cases && chosen == cases; i++)
      if ((i + 1 == cases && type.has_default) || !number_bytes ||
          (members[1 + 2 * i].value & mask) == number)
        chosen = i;
    if (chosen == cases)
      return hexadecimal(bytes, limits_.elements);
    const TypeMember &name = members[1 + 2 * chosen], &value = members[2 + 2 * chosen];
    if (!value.type || value.type->kind != NOPHOOK_KIND_STRUCT)
      return printable(name.name);
    const std::string inside = within(value.bit / 8, [&] {
      return fields(*value.type, part(bytes, value.bit / 8, value.type->bytes), depth + 1);
    });
    if (inside.empty())
      return printable(name.name);
    const auto &listed = value.type->members;
    const bool is_tuple = !listed.empty() && is_numbered(listed[0].name);
    return printable(name.name) + (is_tuple ? "(" : "{") + inside + (is_tuple ? ")" : "}");
  }

  // Whether fields are numbered: Rust's tuples have no names for them, and debug info calls them
  // __0, __1.
  static bool is_numbered(std::string_view name) {
    return name.size() > 2 && name.starts_with("__") &&
           std::ranges::all_of(name.substr(2), [](char c) { return c >= '0' && c <= '9'; });
  }

  const ReadMemory &memory_;
  const ValueLimits &limits_;
  const ValueBytes &value_;
  uint64_t at_ = 0;              // offset of the present part in the value
  std::vector<uint8_t> integer_; // bytes of the present value
  size_t used_ = 0;
  unsigned steps_ = 0;
};

} // namespace

std::string value_text(const PlacedValue &value, const CallRegisters &registers,
                       const ReadMemory &memory, const ValueLimits &limits) {
  ValueBytes found = value_bytes(value, registers, memory);
  switch (found.found) {
  case Found::kNothing:
    return value.type ? "{}" : "void";
  case Found::kRemoved:
    return kOptimizedOut;
  case Found::kUnknown:
    return kUnknownPlace;
  case Found::kUnreadable:
    return found.bytes.size() > kMostKept ? fmt::format("<{} bytes>", value.type->bytes)
                                          : kUnreadable;
  case Found::kBytes:
    break;
  }
  Printer printer(memory, limits, found);
  return printer.text(value.type, found.bytes) + (found.is_doubtful ? "?" : "");
}

} // namespace nophook
