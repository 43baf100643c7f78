// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recognizes the kinds of lines by their form.

#include "show/print/colours.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>

namespace nophook {

namespace {

constexpr std::string_view kDim = "\033[2m", kBold = "\033[1m", kYellow = "\033[33m",
                           kRed = "\033[31m", kPlain = "\033[0m";
constexpr double kManyPercent = 2, kMostPercent = 10;

// A part of a line: the text before `first`, and from `end` on, has no colour.
struct Part {
  size_t first = 0, end = 0;
  std::string_view colour;
};

bool is_digit(char c) {
  return std::isdigit((unsigned char)c);
}

// Whether a line is the head of a table: words in columns, without a number.
bool is_table_head(std::string_view line) {
  return line.starts_with("  ") && line.find("  ", line.find_first_not_of(' ')) != line.npos &&
         std::ranges::all_of(line, [](unsigned char c) {
           return std::isalpha(c) || c == ' ' || c == '%' || c == '(' || c == ')' || c == '-';
         });
}

// Finds `12.3%` or `12.3 %` at the start of a row.
Part percent_part(std::string_view line) {
  size_t first = line.find_first_not_of(' '), end = first;
  while (end < line.size() && (is_digit(line[end]) || line[end] == '.'))
    end++;
  if (first == line.npos || first == end || line.substr(end, 1) != "%")
    return {};
  double percent = std::strtod(std::string(line.substr(first, end - first)).c_str(), nullptr);
  return {first, end + 1, percent >= kMostPercent ? kRed : percent >= kManyPercent ? kYellow : ""};
}

// Finds function_graph's duration, whose sign shows its order of magnitude: `! 123.456 us`.
Part duration_of(std::string_view line) {
  size_t end = line.find(" us ");
  if (end == line.npos)
    return {};
  size_t first = end;
  while (first && (is_digit(line[first - 1]) || line[first - 1] == '.'))
    first--;
  while (first && line[first - 1] == ' ')
    first--;
  if (!first)
    return {};
  char sign = line[first - 1];
  constexpr std::string_view kLong = "!#", kVeryLong = "*@$";
  return {first - 1, end + 3,
          kVeryLong.find(sign) != kVeryLong.npos ? kRed
          : kLong.find(sign) != kLong.npos       ? kYellow
                                                 : ""};
}

} // namespace

std::string coloured_line(std::string_view line) {
  auto whole = [&](std::string_view colour) {
    return std::string(colour) + std::string(line) + std::string(kPlain);
  };
  if (line.starts_with("#") || line.starts_with(" ---"))
    return whole(kDim);
  if (is_table_head(line))
    return whole(kBold);
  Part part = percent_part(line);
  if (!part.end)
    part = duration_of(line);
  size_t comment = line.ends_with("*/") ? line.rfind("/*") : line.npos;
  std::string text(line.substr(0, part.first));
  if (part.end && !part.colour.empty())
    text.append(part.colour).append(line.substr(part.first, part.end - part.first)).append(kPlain);
  else
    part.end = part.first;
  comment = std::max(comment, part.end);
  if (comment > line.size())
    return text.append(line.substr(part.end));
  text.append(line.substr(part.end, comment - part.end));
  return text.append(kDim).append(line.substr(comment)).append(kPlain);
}

void show_on(Output &output, const Terminal &terminal) {
  output.fit(terminal.columns);
  const char *no_colour = std::getenv("NO_COLOR"), *kind = std::getenv("TERM");
  bool is_dumb = !kind || !*kind || std::string_view(kind) == "dumb";
  if (terminal.is_terminal && !is_dumb && !(no_colour && *no_colour))
    output.paint(coloured_line);
}

} // namespace nophook
