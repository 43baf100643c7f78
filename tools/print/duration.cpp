// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/duration.h"

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
  std::string digits = fmt::format("{}", ns / 1000);
  if (digits.size() < 7) // with the point no more than eight characters
    digits += fmt::format(".{:03}", ns % 1000).substr(0, 8 - digits.size());
  return fmt::format("{} {} us {:{}}", duration_mark(ns), digits, "",
                     digits.size() < 8 ? 8 - digits.size() : 0);
}

std::string short_duration(uint64_t ns) {
  if (ns < 1'000'000)
    return fmt::format("{:.3f} us", (double)ns / 1e3);
  if (ns < 1'000'000'000)
    return fmt::format("{:.3f} ms", (double)ns / 1e6);
  return fmt::format("{:.3f} s", (double)ns / 1e9);
}

} // namespace nophook
