// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text of a control file, of any length. A list of a million functions is tens of megabytes, so
// the text grows, in pages of our own, and is freed when the file is closed.

#pragma once

#include "base/memory.h"
#include "base/status.h"

#include <errno.h>

namespace nophook {

// A text that grows. An addition that fails for lack of memory makes the whole text fail: half a
// list would be taken for a whole one.
class ControlText {
public:
  ControlText &add(const char *text, uint64_t bytes) {
    if (is_short_ || (bytes > room_ - text_.size() && !grow(bytes)))
      return *this;
    for (uint64_t i = 0; i < bytes; i++)
      text_.append(text[i]);
    return *this;
  }
  ControlText &add(const char *text) { return add(text, text_length(text)); }
  ControlText &number(uint64_t value) {
    Text<24> digits;
    digits.number(value);
    return add(digits.c_str(), digits.size());
  }
  ControlText &hex(uint64_t value) { // 16 digits without "0x"
    char digits[16];
    for (int i = 0; i < 16; i++)
      digits[i] = "0123456789abcdef"[value >> (60 - 4 * i) & 15];
    return add(digits, sizeof digits);
  }

  void clear() {
    text_.clear();
    is_short_ = false;
  }
  const char *data() { return text_.data(); }
  uint64_t size() const { return text_.size(); }
  Status status() const {
    return is_short_ ? failure(ENOMEM, "no memory for the text of a control file") : Status{};
  }

private:
  bool grow(uint64_t bytes) {
    uint64_t wanted = text_.size() + bytes;
    uint64_t room = wanted < 2 * room_ ? 2 * room_ : round_up(wanted, kPageBytes);
    is_short_ = !text_.reserve(room);
    room_ = is_short_ ? room_ : room;
    return !is_short_;
  }

  Array<char> text_;
  uint64_t room_ = 0;
  bool is_short_ = false;
};

} // namespace nophook
