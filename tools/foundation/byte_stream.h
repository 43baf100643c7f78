// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tables as bytes: numbers and lists of them, one after the other, as they are in memory.

#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace nophook {

class ByteWriter {
public:
  template <class T> void put(const T &value) {
    static_assert(std::is_trivially_copyable_v<T>);
    const auto *first = reinterpret_cast<const uint8_t *>(&value);
    bytes_.insert(bytes_.end(), first, first + sizeof value);
  }
  // Writes all values, with their number in front.
  template <class T> void put_all(const std::vector<T> &values) {
    static_assert(std::is_trivially_copyable_v<T>);
    put((uint64_t)values.size());
    const auto *first = reinterpret_cast<const uint8_t *>(values.data());
    bytes_.insert(bytes_.end(), first, first + values.size() * sizeof(T));
  }
  void put_text(const std::string &text) { put_all(std::vector<char>(text.begin(), text.end())); }
  std::vector<uint8_t> take() { return std::move(bytes_); }

private:
  std::vector<uint8_t> bytes_;
};

// Reads bytes that may be anything. Beyond their end it reads 0, and ok() is false from then on.
class ByteReader {
public:
  explicit ByteReader(std::span<const uint8_t> bytes) : left_(bytes) {}

  template <class T> void get(T *value) {
    static_assert(std::is_trivially_copyable_v<T>);
    if (left_.size() < sizeof *value)
      return fail();
    std::memcpy(static_cast<void *>(value), left_.data(), sizeof *value);
    left_ = left_.subspan(sizeof *value);
  }
  template <class T> void get_all(std::vector<T> *values) {
    uint64_t count = 0;
    get(&count);
    if (count > left_.size() / sizeof(T))
      return fail();
    values->resize(count);
    if (count)
      std::memcpy(static_cast<void *>(values->data()), left_.data(), count * sizeof(T));
    left_ = left_.subspan(count * sizeof(T));
  }
  void get_text(std::string *text) {
    std::vector<char> chars;
    get_all(&chars);
    text->assign(chars.begin(), chars.end());
  }
  bool ok() const { return ok_; }

private:
  void fail() {
    ok_ = false;
    left_ = {};
  }

  std::span<const uint8_t> left_;
  bool ok_ = true;
};

} // namespace nophook
