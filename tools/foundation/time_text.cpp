// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parses numbers and units without floating point.

#include "foundation/time_text.h"

namespace nophook {

bool parse_decimal(std::string_view text, uint64_t unit_ns, uint64_t *ns) {
  constexpr uint64_t kMost = uint64_t{1} << 61;
  uint64_t value = 0, part = unit_ns;
  bool digits = false, fraction = false;
  for (char c : text) {
    if (c == '.' && !fraction) {
      fraction = true;
      continue;
    }
    if (c < '0' || c > '9')
      return false;
    digits = true;
    auto digit = (uint64_t)(c - '0');
    if (!fraction) {
      if (value > kMost / 10)
        return false;
      value = value * 10 + digit;
    } else if (part >= 10) {
      if (value > kMost / unit_ns)
        return false;
      part /= 10;
      *ns += part * digit;
    }
  }
  if (!digits || value > (kMost - *ns) / unit_ns)
    return false;
  *ns += value * unit_ns;
  return true;
}

std::string parse_time(std::string_view text, uint64_t *ns) {
  static constexpr struct {
    std::string_view name;
    uint64_t ns;
  } kUnits[] = {{"ns", 1},
                {"us", 1000},
                {"ms", 1'000'000},
                {"s", 1'000'000'000},
                {"m", 60'000'000'000},
                {"h", 3'600'000'000'000}}; // units that end with an s stand before `s`
  *ns = 0;
  for (const auto &unit : kUnits) {
    if (!text.ends_with(unit.name))
      continue;
    if (parse_decimal(text.substr(0, text.size() - unit.name.size()), unit.ns, ns))
      return "";
    break;
  }
  *ns = 0;
  if (parse_decimal(text, 1'000'000'000, ns))
    return "";
  return "'" + std::string(text) + "' is not a time, such as 10us, 2.5ms, 1s or 5m";
}

} // namespace nophook
