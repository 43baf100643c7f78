// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// No format of {fmt} has the shortest text of an x87 number where `long double` is wider. So digits
// are added until the text reads back as the number.

#include "read/steps/extended_float.h"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace nophook {

namespace {

#if LDBL_MANT_DIG == 113
using Quad = long double;
#else
using Quad = __float128;
#endif

constexpr int kMantissaBits = 64;
constexpr int kMostDigits = 21; // more digits never distinguish two numbers

// The nearest number in x87's format.
long double nearest(long double value) {
#if LDBL_MANT_DIG > 64
  if (value == 0 || !std::isfinite(value))
    return value;
  constexpr int kLeastExponent = -16445; // exponent of x87's least number
  int exponent;
  std::frexp(value, &exponent);
  const int last_bit = std::max(exponent - kMantissaBits, kLeastExponent);
  return std::ldexp(std::rint(std::ldexp(value, -last_bit)), last_bit);
#else
  return value;
#endif
}

// Lays out "d.ddde+x" as {fmt} writes numbers: with an exponent only below -4 and from 16.
std::string laid_out(std::string_view scientific) {
  const size_t e = scientific.find('e');
  const int exponent = std::atoi(scientific.data() + e + 1);
  std::string digits;
  std::ranges::copy_if(scientific.substr(0, e), std::back_inserter(digits),
                       [](char c) { return c >= '0' && c <= '9'; });
  const int count = (int)digits.size();
  std::string text = scientific.starts_with('-') ? "-" : "";
  if (exponent < -4 || exponent >= 16) {
    text += digits[0];
    if (count > 1)
      text += "." + digits.substr(1);
    return text + std::string(scientific.substr(e));
  }
  if (exponent < 0)
    return text + "0." + std::string((size_t)-exponent - 1, '0') + digits;
  if (count <= exponent + 1)
    return text + digits + std::string((size_t)(exponent + 1 - count), '0');
  return text + digits.substr(0, (size_t)exponent + 1) + "." + digits.substr((size_t)exponent + 1);
}

// The shortest text of a number in x87's format.
std::string shortest(long double value) {
  const char *sign = std::signbit(value) ? "-" : "";
  if (std::isnan(value))
    return std::string(sign) + "nan";
  if (std::isinf(value))
    return std::string(sign) + "inf";
  char text[64];
  for (int digits = 1; digits <= kMostDigits; digits++) {
    std::snprintf(text, sizeof text, "%.*Le", digits - 1, value);
    if (nearest(std::strtold(text, nullptr)) == value)
      break;
  }
  return laid_out(text);
}

} // namespace

std::string x87_text(std::span<const uint8_t> bytes) {
  uint64_t mantissa = 0;
  uint16_t head = 0; // sign and exponent
  std::memcpy(&mantissa, bytes.data(), std::min<size_t>(bytes.size(), 8));
  if (bytes.size() > 8)
    std::memcpy(&head, bytes.data() + 8, std::min<size_t>(bytes.size() - 8, 2));
  constexpr int kMostExponent = 0x7fff, kBias = 16383;
  const int exponent = head & kMostExponent;
  long double value;
  if (exponent == kMostExponent)
    value = mantissa << 1 ? NAN : INFINITY;
  else
    value = std::ldexp((long double)mantissa, std::max(exponent, 1) - kBias - (kMantissaBits - 1));
  return shortest(std::copysign(value, head >> 15 ? -1.0L : 1.0L));
}

std::string quad_text(std::span<const uint8_t> bytes) {
  Quad value = 0;
  std::memcpy(&value, bytes.data(), std::min(bytes.size(), sizeof value));
  return shortest(nearest((long double)value));
}

} // namespace nophook
