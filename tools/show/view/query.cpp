// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Splits the text at `&` and `=`, and decodes %XX.

#include "show/view/query.h"

#include <cstdlib>
#include <llvm/ADT/StringExtras.h>

namespace nophook {

namespace {

std::string decoded(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); i++) {
    uint8_t byte;
    if (text[i] == '%' && i + 2 < text.size() &&
        llvm::tryGetHexFromNibbles(text[i + 1], text[i + 2], byte))
      out += (char)byte, i += 2;
    else
      out += text[i] == '+' ? ' ' : text[i];
  }
  return out;
}

} // namespace

ViewQuery::ViewQuery(std::string_view text) {
  while (!text.empty()) {
    std::string_view part = text.substr(0, text.find('&'));
    text.remove_prefix(std::min(text.size(), part.size() + 1));
    size_t equals = part.find('=');
    if (equals != std::string_view::npos)
      values_[decoded(part.substr(0, equals))] = decoded(part.substr(equals + 1));
  }
}

std::string ViewQuery::text(const std::string &name) const {
  auto at = values_.find(name);
  return at == values_.end() ? "" : at->second;
}

double ViewQuery::number(const std::string &name, double otherwise) const {
  std::string value = text(name);
  char *end = nullptr;
  double number = std::strtod(value.c_str(), &end);
  return value.empty() || *end || !std::isfinite(number) ? otherwise : number;
}

std::vector<uint32_t> ViewQuery::numbers(const std::string &name) const {
  std::vector<uint32_t> all;
  std::string value = text(name);
  const char *at = value.c_str();
  while (*at) {
    char *end;
    unsigned long number = std::strtoul(at, &end, 10);
    if (end == at)
      break;
    if (*at != '-' && number <= UINT32_MAX)
      all.push_back((uint32_t)number);
    at = *end == ',' ? end + 1 : end;
  }
  return all;
}

} // namespace nophook
