// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A minimal writer of protocol buffers: fields one after the other, nested messages as texts.
// libprotobuf would need generated code for each of the two schemas; the encoding is
// https://protobuf.dev/programming-guides/encoding/.

#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace nophook {

class Protobuf {
public:
  Protobuf &number(uint32_t field, uint64_t value) {
    varint((uint64_t)field << 3);
    return varint(value);
  }
  Protobuf &fixed64(uint32_t field, uint64_t value) {
    varint((uint64_t)field << 3 | 1);
    for (unsigned bit = 0; bit < 64; bit += 8)
      bytes_ += (char)(value >> bit);
    return *this;
  }
  Protobuf &text(uint32_t field, std::string_view value) {
    varint((uint64_t)field << 3 | 2);
    varint(value.size());
    bytes_ += value;
    return *this;
  }
  Protobuf &message(uint32_t field, const Protobuf &value) { return text(field, value.bytes_); }
  Protobuf &packed(uint32_t field, std::span<const uint64_t> values) {
    Protobuf list;
    for (uint64_t value : values)
      list.varint(value);
    return message(field, list);
  }

  const std::string &bytes() const { return bytes_; }
  bool empty() const { return bytes_.empty(); }

private:
  Protobuf &varint(uint64_t value) {
    for (; value >= 0x80; value >>= 7)
      bytes_ += (char)(value | 0x80);
    bytes_ += (char)value;
    return *this;
  }

  std::string bytes_;
};

} // namespace nophook
