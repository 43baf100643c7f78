// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "read/select/selection.h"

#include "foundation/time_text.h"
#include "read/recording/wall_time.h"

#include <fmt/format.h>

namespace nophook {

namespace {

Error mistyped(const std::string &option, const std::string &text, const char *wanted) {
  return {"report", "", fmt::format("{} '{}': {}", option, text, wanted), kExitUsage};
}

constexpr const char *kWindow =
    "is not FROM,TO in seconds, such as 12.5,12.75 or +0,+0.01, or times "
    "of day, such as 12:03:07,12:03:07.5 or 2026-05-01T12:03,";

Result<> parse_instant(const std::string &whole, std::string_view text, std::optional<int64_t> *ns,
                       bool *is_relative, std::optional<TimeOfDay> *time) {
  if (text.find(':') != std::string_view::npos) {
    *time = parse_time_of_day(text);
    return *time ? Result<>() : mistyped("--time", whole, kWindow);
  }
  *is_relative = text.starts_with('+');
  if (*is_relative)
    text.remove_prefix(1);
  if (text.empty() && !*is_relative)
    return {};
  uint64_t value = 0;
  if (!parse_decimal(text, 1'000'000'000, &value))
    return mistyped("--time", whole, kWindow);
  *ns = (int64_t)value;
  return {};
}

} // namespace

bool Selection::any() const {
  return !functions.empty() || !notraces.empty() || !where.empty() || !tids.empty() ||
         !pids.empty() || depth || min_duration_ns || from_ns || to_ns || from_time || to_time;
}

Result<> parse_time_window(const std::string &text, Selection *selection) {
  size_t comma = text.find(',');
  if (comma == std::string::npos)
    return mistyped("--time", text, kWindow);
  auto from = parse_instant(text, std::string_view(text).substr(0, comma), &selection->from_ns,
                            &selection->from_is_relative, &selection->from_time);
  NOPHOOK_TRY(from);
  auto to = parse_instant(text, std::string_view(text).substr(comma + 1), &selection->to_ns,
                          &selection->to_is_relative, &selection->to_time);
  NOPHOOK_TRY(to);
  if (selection->from_ns && selection->to_ns && *selection->from_ns > *selection->to_ns &&
      selection->from_is_relative == selection->to_is_relative)
    return mistyped("--time", text, "ends before it begins");
  return {};
}

Result<> place_times_of_day(const std::string &path, const WallTime &wall, Selection *selection) {
  if (!selection->from_time && !selection->to_time)
    return {};
  if (!wall.is_known())
    return error_at(path,
                    "has no time of day: --time takes seconds, as `nophook report` shows them");
  const uint64_t first = wall.notes().front().realtime_ns;
  if (selection->from_time)
    selection->from_ns = wall.monotonic_of(selection->from_time->realtime_ns(first));
  if (selection->to_time)
    selection->to_ns = wall.monotonic_of(selection->to_time->realtime_ns(first));
  if (selection->from_time && selection->to_time && *selection->from_ns > *selection->to_ns)
    return Error{"report", "--time", "ends before it begins", kExitUsage};
  return {};
}

} // namespace nophook
