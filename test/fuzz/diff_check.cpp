// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The claim that must hold for any text: it is refused with a sentence and a line of its own, or each file has a name,
// and its changed lines rise and are no more than the diff has lines.

#include "demand.h"
#include "diff_fuzz.h"

#include "patch/source_diff.h"

#include <algorithm>
#include <charconv>

namespace nophook {

namespace {

// "line 12"
bool is_line_of(const std::string &place, size_t lines) {
  constexpr std::string_view kLine = "line ";
  size_t number = 0;
  const char *end = place.data() + place.size();
  return place.starts_with(kLine) &&
         std::from_chars(place.data() + kLine.size(), end, number).ptr == end && number >= 1 &&
         number <= lines;
}

void check_strip(const std::string &name, std::string_view input) {
  for (unsigned count : {0u, 1u, 2u, 99u}) {
    const std::string rest = stripped_name(name, count);
    demand(name.ends_with(rest) && (!count || !rest.starts_with('/')), "stripping makes a name",
           input);
  }
}

} // namespace

bool check_diff(std::string_view text) {
  const size_t lines = (size_t)std::ranges::count(text, '\n') + 1;
  const auto files = parse_diff(text);
  if (!files) {
    const Error &error = files.error();
    demand(!error.problem.empty() && error.problem.find('\n') == std::string::npos,
           "a refusal is no sentence", text);
    demand(error.place.empty() || is_line_of(error.place, lines), "a refusal is nowhere", text);
    return false;
  }
  demand(!files->empty(), "a diff without files is read", text);
  size_t changed = 0;
  for (const DiffFile &file : *files) {
    demand(!file.before.empty() || !file.after.empty(), "a file has no name", text);
    check_strip(file.before, text);
    check_strip(file.after, text);
    changed += file.lines.size();
    demand(std::ranges::adjacent_find(file.lines, std::ranges::greater_equal()) == file.lines.end(),
           "changed lines do not rise", text);
  }
  demand(changed <= lines, "more lines are changed than there are", text);
  return true;
}

std::string mutate_diff(std::string text, std::mt19937 &random) {
  const auto below = [&](size_t limit) { return limit ? random() % limit : 0; };
  const auto line_at = [&](size_t at) {
    const size_t begin = at ? text.rfind('\n', at - 1) + 1 : 0; // npos + 1 is 0
    return std::pair(begin, std::min(text.find('\n', begin), text.size() - 1) + 1 - begin);
  };
  if (text.empty())
    return "@";
  const size_t at = below(text.size());
  const auto [begin, bytes] = line_at(at);
  constexpr std::string_view kSigns = "@+- \t\\\"/,\r\n\0d1";
  constexpr const char *kNumbers[] = {"0", "1", "2", "7", "4294967295", "4294967296", "99999999999", "-1", ""};
  switch (random() % 8) {
  case 0: // a line less
    return text.erase(begin, bytes);
  case 1: // a line twice
    return text.insert(begin, text.substr(begin, bytes));
  case 2: { // a line elsewhere
    const std::string line = text.substr(begin, bytes);
    text.erase(begin, bytes);
    return text.insert(text.empty() ? 0 : line_at(below(text.size())).first, line);
  }
  case 3: // another kind of line
    text[begin] = kSigns[below(kSigns.size())];
    return text;
  case 4: { // another number in a header
    const size_t hunk = text.find("@@ ", at);
    const size_t digit = text.find_first_of("0123456789", hunk == text.npos ? 0 : hunk + below(12));
    if (digit == text.npos)
      return text;
    const size_t end = std::min(text.find_first_not_of("0123456789", digit), text.size());
    return text.replace(digit, end - digit, kNumbers[below(std::size(kNumbers))]);
  }
  case 5: // the end is missing
    return text.substr(0, at);
  case 6:
    text[at] = kSigns[below(kSigns.size())];
    return text;
  default:
    return text.insert(at, 1, (char)random());
  }
}

} // namespace nophook
