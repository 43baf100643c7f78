// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Formats and parses times of day, the second by libc, the parts by hand.

#include "foundation/wall_text.h"

#include "foundation/time_text.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>

namespace nophook {

namespace {

constexpr uint64_t kSecond = 1'000'000'000;
constexpr size_t kPart = 20; // offset of the microseconds in the text

// Takes `digits` digits of `text` that are at most `most`.
bool take_number(std::string_view *text, size_t digits, int most, int *number) {
  if (text->size() < digits)
    return false;
  const char *end = text->data() + digits;
  auto [at, wrong] = std::from_chars(text->data(), end, *number);
  text->remove_prefix(digits);
  return wrong == std::errc() && at == end && *number >= 0 && *number <= most;
}

bool take(std::string_view *text, std::string_view any) {
  if (text->empty() || any.find(text->front()) == std::string_view::npos)
    return false;
  text->remove_prefix(1);
  return true;
}

bool take_date(std::string_view *text, tm *date) {
  const bool good = take_number(text, 4, 9999, &date->tm_year) && take(text, "-") &&
                    take_number(text, 2, 12, &date->tm_mon) && take(text, "-") &&
                    take_number(text, 2, 31, &date->tm_mday) && take(text, "T ");
  date->tm_year -= 1900;
  date->tm_mon -= 1;
  return good && date->tm_mon >= 0 && date->tm_mday > 0;
}

} // namespace

const std::string &WallText::text(uint64_t realtime_ns) {
  const auto second = (time_t)(realtime_ns / kSecond);
  if (second != second_ || text_.empty()) {
    tm local = {};
    ::localtime_r(&second, &local);
    text_ = fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.000000", local.tm_year + 1900,
                        local.tm_mon + 1, local.tm_mday, local.tm_hour, local.tm_min, local.tm_sec);
    second_ = second;
  }
  uint64_t us = realtime_ns / 1000 % 1'000'000;
  for (size_t at = kPart + 6; at-- > kPart; us /= 10)
    text_[at] = (char)('0' + us % 10);
  return text_;
}

std::optional<TimeOfDay> parse_time_of_day(std::string_view text) {
  TimeOfDay time;
  if (text.ends_with('Z')) {
    time.is_utc = true;
    text.remove_suffix(1);
  }
  if (text.find('-') != std::string_view::npos) {
    time.date.emplace();
    if (!take_date(&text, &*time.date))
      return std::nullopt;
  }
  if (!take_number(&text, 2, 23, &time.hour) || !take(&text, ":") ||
      !take_number(&text, 2, 59, &time.minute))
    return std::nullopt;
  if (take(&text, ":") && !take_number(&text, 2, 60, &time.second))
    return std::nullopt;
  if (text.empty())
    return time;
  if (text.front() != '.' || !parse_decimal(text, kSecond, &time.part_ns))
    return std::nullopt;
  return time;
}

int64_t TimeOfDay::realtime_ns(uint64_t near_ns) const {
  constexpr auto kHalfDay = (int64_t)(12 * 3600 * kSecond);
  tm when = {};
  if (date) {
    when = *date;
  } else {
    const auto near = (time_t)(near_ns / kSecond);
    is_utc ? ::gmtime_r(&near, &when) : ::localtime_r(&near, &when);
  }
  when.tm_hour = hour;
  when.tm_min = minute;
  when.tm_sec = second;
  when.tm_isdst = -1;
  auto ns = [&] {
    tm normal = when; // mktime() changes it
    const time_t seconds = is_utc ? ::timegm(&normal) : ::mktime(&normal);
    return (int64_t)seconds * (int64_t)kSecond + (int64_t)part_ns;
  };
  const int64_t off = date ? 0 : ns() - (int64_t)near_ns;
  when.tm_mday += (off < -kHalfDay) - (off > kHalfDay);
  return ns();
}

} // namespace nophook
