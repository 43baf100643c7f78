// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// FROM,TO is perf's form of a part of the time: either side may be empty, and FROM alone has no
// end. uftrace has FROM~TO, and counts a time with a unit from the first event. Both are read.

#include "read/select/selection.h"

#include "foundation/time_text.h"
#include "read/recording/wall_time.h"

#include <fmt/format.h>

namespace nophook {

namespace {

constexpr const char *kWindow =
    "is not FROM,TO: seconds as the trace has them (12.5,12.75), + and a time after the first "
    "event (+0,+10ms), or times of day (12:03:07,12:03:07.5 or 2026-05-01T12:03,)";

bool parse_instant(std::string_view text, Instant *instant) {
  if (text.empty())
    return true;
  if (text.find(':') != std::string_view::npos)
    return (instant->time = parse_time_of_day(text)).has_value();
  instant->is_relative = text.front() == '+' || std::isalpha((unsigned char)text.back());
  if (text.front() == '+')
    text.remove_prefix(1);
  uint64_t ns = 0;
  if (!parse_time(text, &ns).empty())
    return false;
  instant->ns = (int64_t)ns;
  return true;
}

Error ends_before_it_begins(const std::string &verb, const std::string &text) {
  return {verb, "--time", fmt::format("'{}' ends before it begins", text), kExitUsage};
}

} // namespace

bool Selection::any() const {
  return !functions.empty() || !notraces.empty() || !hides.empty() || !places.empty() ||
         !where.empty() || off_cpu || !sleep_time || !tids.empty() || !pids.empty() || depth ||
         min_duration_ns || from.any() || to.any();
}

Result<> read_times(const std::string &verb, Selection *selection) {
  const std::string_view text = selection->time;
  const size_t comma = std::min(text.find_first_of(",~"), text.size());
  Instant &from = selection->from, &to = selection->to;
  if (!parse_instant(text.substr(0, comma), &from) ||
      !parse_instant(text.substr(std::min(comma + 1, text.size())), &to))
    return Error{verb, "--time", fmt::format("'{}' {}", text, kWindow), kExitUsage};
  if (from.ns && to.ns && *from.ns > *to.ns && from.is_relative == to.is_relative)
    return ends_before_it_begins(verb, selection->time);
  if (selection->min_duration.empty())
    return {};
  std::string problem = parse_time(selection->min_duration, &selection->min_duration_ns);
  return problem.empty() ? Result<>() : Error{verb, "--min-duration", problem, kExitUsage};
}

Result<> place_times_of_day(const std::string &verb, const std::string &path, const WallTime &wall,
                            Selection *selection) {
  Instant &from = selection->from, &to = selection->to;
  if (!from.time && !to.time)
    return {};
  if (!wall.is_known())
    return error_at(path,
                    "has no time of day: --time takes seconds, as `nophook report` shows them");
  const uint64_t first = wall.notes().front().realtime_ns;
  for (Instant *instant : {&from, &to})
    if (instant->time)
      instant->ns = wall.monotonic_of(instant->time->realtime_ns(first));
  if (from.time && to.time && *from.ns > *to.ns)
    return ends_before_it_begins(verb, selection->time);
  return {};
}

} // namespace nophook
