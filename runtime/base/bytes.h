// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bytes and strings without libc, for code that must not call it (see base/syscall.h).
// The runtime is compiled with -fno-builtin, so the compiler does not turn these loops
// back into calls of memcpy and memset; a test looks for such references in the objects
// of the event path.

#pragma once

#include <stddef.h>
#include <stdint.h>

namespace nophook {

inline void copy_bytes(void *to, const void *from, size_t n) {
  char *t = static_cast<char *>(to);
  const char *f = static_cast<const char *>(from);
  for (size_t i = 0; i < n; i++)
    t[i] = f[i];
}

// Eight bytes at any address, in one instruction.
struct __attribute__((packed, may_alias)) UnalignedWord {
  uint64_t value;
};
inline uint64_t load_word(const void *from) {
  return static_cast<const UnalignedWord *>(from)->value;
}
inline void store_word(void *to, uint64_t value) {
  static_cast<UnalignedWord *>(to)->value = value;
}

inline size_t text_length(const char *text) {
  size_t n = 0;
  while (text[n])
    n++;
  return n;
}

inline bool equal_bytes(const void *a, const void *b, size_t n) {
  const char *x = static_cast<const char *>(a);
  const char *y = static_cast<const char *>(b);
  for (size_t i = 0; i < n; i++)
    if (x[i] != y[i])
      return false;
  return true;
}

// Whether the `n` bytes at `text` are `name`; and whether two names are the same.
inline bool is_text(const char *text, size_t n, const char *name) {
  return text_length(name) == n && equal_bytes(text, name, n);
}
constexpr bool is_text(const char *text, const char *name) {
  while (*text && *text == *name)
    text++, name++;
  return *text == *name;
}

inline uint64_t round_up(uint64_t value, uint64_t to) {
  return (value + to - 1) / to * to;
}
inline uint64_t round_down(uint64_t value, uint64_t to) {
  return value / to * to;
}

constexpr uint64_t kPageBytes = 4096;

// A short text that is built piece by piece and cut at its capacity. For paths and log lines.
template <size_t Capacity> class Text {
public:
  Text() { text_[0] = 0; }

  Text &add(const char *text) {
    while (*text && size_ + 1 < Capacity)
      text_[size_++] = *text++;
    text_[size_] = 0;
    return *this;
  }

  Text &add(const char *text, size_t n) {
    for (size_t i = 0; i < n && size_ + 1 < Capacity; i++)
      text_[size_++] = text[i];
    text_[size_] = 0;
    return *this;
  }

  Text &number(uint64_t value) {
    char digits[20];
    int n = 0;
    do
      digits[n++] = (char)('0' + value % 10);
    while (value /= 10);
    while (n && size_ + 1 < Capacity)
      text_[size_++] = digits[--n];
    text_[size_] = 0;
    return *this;
  }

  Text &hex(uint64_t value) {
    add("0x");
    int shift = 60;
    while (shift && !(value >> shift))
      shift -= 4;
    for (; shift >= 0 && size_ + 1 < Capacity; shift -= 4)
      text_[size_++] = "0123456789abcdef"[value >> shift & 15];
    text_[size_] = 0;
    return *this;
  }

  const char *c_str() const { return text_; }
  size_t size() const { return size_; }
  bool full() const { return size_ + 1 == Capacity; }
  static constexpr size_t capacity() { return Capacity - 1; }

private:
  char text_[Capacity];
  size_t size_ = 0;
};

} // namespace nophook
