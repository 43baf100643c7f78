// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Formats durations by integers alone.

#include "show/print/duration.h"

#include <algorithm>
#include <fmt/format.h>

namespace nophook {

char duration_mark(uint64_t ns) {
  static constexpr struct {
    uint64_t above_ns;
    char mark;
  } kMarks[] = {{1'000'000'000, '$'}, {100'000'000, '@'}, {10'000'000, '*'},
                {1'000'000, '#'},     {100'000, '!'},     {10'000, '+'}};
  for (const auto &[above_ns, mark] : kMarks)
    if (ns > above_ns)
      return mark;
  return ' ';
}

std::string graph_duration(uint64_t ns) {
  char text[kGraphDurationBytes];
  return {text, graph_duration(ns, text)};
}

size_t graph_duration(uint64_t ns, char text[kGraphDurationBytes]) {
  constexpr size_t kDigits = 8; // digits, one of which may be the point
  fmt::format_int us(ns / 1000);
  uint64_t rest = ns % 1000;
  text[0] = duration_mark(ns);
  text[1] = ' ';
  char *out = std::copy_n(us.data(), us.size(), text + 2);
  if (us.size() < kDigits - 1) {
    const char fraction[4] = {'.', (char)('0' + rest / 100), (char)('0' + rest / 10 % 10),
                              (char)('0' + rest % 10)};
    out = std::copy_n(fraction, std::min<size_t>(4, kDigits - us.size()), out);
  }
  size_t used = (size_t)(out - text) - 2;
  out = std::copy_n(" us ", 4, out);
  out = std::fill_n(out, used < kDigits ? kDigits - used : 0, ' ');
  return (size_t)(out - text);
}

std::string short_duration(uint64_t ns, TimeUnit unit) {
  if (unit == TimeUnit::kNanoseconds)
    return fmt::format("{} ns", ns);
  if (unit == TimeUnit::kMicroseconds)
    return fmt::format("{}.{:03} us", ns / 1000, ns % 1000);
  if (ns < 1'000'000)
    return fmt::format("{:.3f} us", (double)ns / 1e3);
  if (ns < 1'000'000'000)
    return fmt::format("{:.3f} ms", (double)ns / 1e6);
  return fmt::format("{:.3f} s", (double)ns / 1e9);
}

} // namespace nophook
