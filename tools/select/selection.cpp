// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "select/selection.h"

#include "base/time_text.h"

#include <fmt/format.h>

namespace nophook {

namespace {

Error mistyped(const std::string &option, const std::string &text, const char *wanted) {
  return {"report", "", fmt::format("{} '{}': {}", option, text, wanted), kExitUsage};
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

} // namespace nophook
