// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A position in a text that has no end mark, which never leaves the text. For the parsers of texts
// that users write into control files.

#pragma once

#include "base/bytes.h"

namespace nophook {

inline bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
inline bool is_name_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
inline bool is_name_part(char c) {
  return is_name_start(c) || is_digit(c);
}
inline bool is_blank(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r') || c == 0;
}

class Scanner {
public:
  Scanner(const char *text, uint64_t bytes) : text_(text), end_(bytes) {}

  uint64_t at() const { return at_; }
  void go_to(uint64_t at) { at_ = at; }
  bool is_end() const { return at_ >= end_; }
  char peek(uint64_t ahead = 0) const { return at_ + ahead < end_ ? text_[at_ + ahead] : '\0'; }
  char next() { return is_end() ? '\0' : text_[at_++]; }
  const char *here() const { return text_ + at_; }
  uint64_t left() const { return end_ - at_; }

  bool skip(char c) {
    bool is_there = !is_end() && text_[at_] == c;
    at_ += is_there;
    return is_there;
  }
  bool skip(const char *word) {
    uint64_t length = text_length(word);
    bool is_there = length <= left() && equal_bytes(here(), word, length);
    at_ += is_there ? length : 0;
    return is_there;
  }
  void skip_blanks() {
    while (!is_end() && is_blank(text_[at_]))
      at_++;
  }
  // The number of bytes from here on that are of a kind.
  template <class Is> uint64_t length_of(Is is) const {
    uint64_t count = 0;
    while (at_ + count < end_ && is(text_[at_ + count]))
      count++;
    return count;
  }

  // Reads a number, decimal, or hexadecimal behind 0x. False: there is none, or it has more than 64
  // bits.
  bool number(uint64_t *value) {
    bool is_hex = peek() == '0' && (peek(1) == 'x' || peek(1) == 'X');
    uint64_t base = is_hex ? 16 : 10, begin = at_, sum = 0;
    if (is_hex)
      at_ += 2;
    uint64_t first = at_;
    for (; !is_end(); at_++) {
      char c = text_[at_], lower = (char)(c | 0x20);
      uint64_t digit = is_digit(c)                              ? (uint64_t)(c - '0')
                       : is_hex && lower >= 'a' && lower <= 'f' ? (uint64_t)(lower - 'a' + 10)
                                                                : base;
      if (digit == base)
        break;
      if (sum > (~uint64_t{0} - digit) / base) {
        at_ = begin;
        return false;
      }
      sum = sum * base + digit;
    }
    if (at_ == first) {
      at_ = begin;
      return false;
    }
    *value = sum;
    return true;
  }

private:
  const char *text_;
  uint64_t end_;
  uint64_t at_ = 0;
};

} // namespace nophook
