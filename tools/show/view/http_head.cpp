// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Splits the head into words and lines.

#include "show/view/http_head.h"

#include <llvm/ADT/StringRef.h>

namespace nophook {

namespace {

std::string_view take_line(std::string_view *rest) {
  const size_t end = rest->find('\n');
  std::string_view line = rest->substr(0, end);
  rest->remove_prefix(end + 1);
  if (line.ends_with('\r'))
    line.remove_suffix(1);
  return line;
}

std::string_view take_word(std::string_view *rest) {
  const size_t end = std::min(rest->find(' '), rest->size());
  std::string_view word = rest->substr(0, end);
  rest->remove_prefix(std::min(end + 1, rest->size()));
  return word;
}

// The offset behind the head's empty line; 0: the head is not complete.
size_t end_of(std::string_view bytes) {
  size_t end = bytes.find("\r\n\r\n"), short_end = bytes.find("\n\n");
  if (short_end < end)
    return short_end + 2;
  return end == std::string_view::npos ? 0 : end + 4;
}

} // namespace

HttpHead parse_head(std::string_view bytes) {
  HttpHead head;
  const size_t end = end_of(bytes.substr(0, kMostHeadBytes));
  if (!end) {
    head.state = bytes.size() < kMostHeadBytes ? HttpHead::kPart : HttpHead::kBad;
    return head;
  }
  head.state = HttpHead::kBad;
  std::string_view rest = bytes.substr(0, end), first = take_line(&rest);
  head.method = take_word(&first);
  const std::string_view target = take_word(&first);
  if (head.method.empty() || !target.starts_with('/') || !first.starts_with("HTTP/1."))
    return head;
  const size_t question = std::min(target.find('?'), target.size());
  head.path = target.substr(0, question);
  head.query = target.substr(std::min(question + 1, target.size()));
  while (!rest.empty()) {
    const llvm::StringRef line = take_line(&rest);
    auto [name, value] = line.split(':');
    for (auto [wanted, into] : {std::pair("host", &head.host), std::pair("origin", &head.origin)}) {
      if (!name.equals_insensitive(wanted))
        continue;
      if (*into) // two of them are ambiguous
        return head;
      *into = value.trim().str();
    }
  }
  head.state = HttpHead::kWhole;
  return head;
}

} // namespace nophook
