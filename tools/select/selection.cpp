// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "select/selection.h"

#include <cstring>
#include <fmt/format.h>

namespace nophook {

namespace {

Error mistyped(const std::string &option, const std::string &text, const char *wanted) {
  return {"report", "", fmt::format("{} '{}': {}", option, text, wanted), kExitUsage};
}

// Decimal digits, at most one point: exact in nanoseconds, as a double would not be.
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

Result<> parse_instant(const std::string &whole, std::string_view text, std::optional<int64_t> *ns,
                       bool *is_relative) {
  *is_relative = text.starts_with('+');
  if (*is_relative)
    text.remove_prefix(1);
  if (text.empty() && !*is_relative)
    return {};
  uint64_t value = 0;
  if (!parse_decimal(text, 1'000'000'000, &value))
    return mistyped("--time", whole, "is not FROM,TO in seconds, such as 12.5,12.75 or +0,+0.01");
  *ns = (int64_t)value;
  return {};
}

} // namespace

bool Selection::any() const {
  return !functions.empty() || !notraces.empty() || !where.empty() || !tids.empty() ||
         !pids.empty() || depth || min_duration_ns || from_ns || to_ns;
}

Result<> parse_time_window(const std::string &text, Selection *selection) {
  size_t comma = text.find(',');
  if (comma == std::string::npos)
    return mistyped("--time", text, "is not FROM,TO in seconds, such as 12.5,12.75 or +0,+0.01");
  auto from = parse_instant(text, std::string_view(text).substr(0, comma), &selection->from_ns,
                            &selection->from_is_relative);
  NOPHOOK_TRY(from);
  auto to = parse_instant(text, std::string_view(text).substr(comma + 1), &selection->to_ns,
                          &selection->to_is_relative);
  NOPHOOK_TRY(to);
  if (selection->from_ns && selection->to_ns && *selection->from_ns > *selection->to_ns &&
      selection->from_is_relative == selection->to_is_relative)
    return mistyped("--time", text, "ends before it begins");
  return {};
}

Result<uint64_t> parse_duration(const std::string &text) {
  static constexpr struct {
    const char *name;
    uint64_t ns;
  } kUnits[] = {{"ns", 1}, {"us", 1000}, {"ms", 1'000'000}, {"s", 1'000'000'000}, {"", 1000}};
  for (const auto &unit : kUnits) {
    if (!text.ends_with(unit.name))
      continue;
    uint64_t ns = 0;
    if (parse_decimal(std::string_view(text).substr(0, text.size() - std::strlen(unit.name)),
                      unit.ns, &ns))
      return ns;
    break;
  }
  return mistyped("--min-duration", text, "is not a time, such as 10us, 2.5ms or 1s");
}

} // namespace nophook
