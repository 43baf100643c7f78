// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages that name a limit. A reason (base/status.h) is static text, so a number in it was typed
// a second time, and stayed when the limit changed. This puts the text together from the constant,
// when the program is compiled:
//
//      limit_text<"a depth is at most ", kMaxGraphDepth, "; 0 is no limit">

#pragma once

#include <stdint.h>

namespace nophook {

template <uint64_t Bytes> struct Literal {
  char text[Bytes]; // the text, with a 0 at its end
  consteval Literal(const char (&literal)[Bytes]) : text() {
    for (uint64_t i = 0; i < Bytes; i++)
      text[i] = literal[i];
  }
};

template <Literal Before, uint64_t Number, Literal Behind> struct LimitText {
  static consteval uint64_t digits() {
    uint64_t count = 1;
    for (uint64_t left = Number; left >= 10; left /= 10)
      count++;
    return count;
  }
  char text[sizeof Before.text - 1 + digits() + sizeof Behind.text];
  consteval LimitText() : text() {
    uint64_t end = 0;
    for (; end < sizeof Before.text - 1; end++)
      text[end] = Before.text[end];
    uint64_t left = Number;
    for (uint64_t i = digits(); i-- > 0; left /= 10)
      text[end + i] = (char)('0' + left % 10);
    end += digits();
    for (uint64_t i = 0; i < sizeof Behind.text; i++)
      text[end + i] = Behind.text[i];
  }
};

template <Literal Before, uint64_t Number, Literal Behind>
inline constexpr LimitText<Before, Number, Behind> kLimitText;
// A text with a second number: it is in front of this one.
template <Literal Before, uint64_t Number, Literal Behind>
inline constexpr Literal limit_text_of{LimitText<Before, Number, Behind>().text};
template <Literal Before, uint64_t Number, Literal Behind>
inline constexpr const char *limit_text = kLimitText<Before, Number, Behind>.text;

} // namespace nophook
