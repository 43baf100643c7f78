// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes the forms of a name, and compares each with the typed one.

#include "read/symbols/name_match.h"

#include "read/symbols/readable_name.h"
#include "read/symbols/symbol_table.h"

#include <algorithm>
#include <fnmatch.h>

namespace nophook {

namespace {

bool is_end_of(const std::string &name, const std::string &typed) {
  return name.size() > typed.size() + 2 && name.ends_with(typed) &&
         name.compare(name.size() - typed.size() - 2, 2, "::") == 0;
}

// The name without template arguments. The characters of an operator's name are no brackets.
std::string without_template_arguments(const std::string &name) {
  size_t end = std::min(name.find("operator"), name.size());
  std::string result;
  int depth = 0;
  for (char c : name.substr(0, end)) {
    depth += c == '<';
    if (!depth)
      result += c;
    depth -= c == '>' && depth;
  }
  return result + name.substr(end);
}

// The symbol without the suffix of a compiler's copy. Rust's names have dots of their own.
std::string_view without_copy_suffix(std::string_view symbol) {
  size_t end = symbol.size();
  for (const char *suffix : {".isra.", ".constprop.", ".part.", ".cold", ".llvm.", ".lto_priv.",
                             ".localalias", ".specialized."})
    end = std::min(end, symbol.find(suffix, 1));
  return symbol.substr(0, end);
}

} // namespace

std::string without_abi_tags(std::string_view name) {
  std::string result;
  for (size_t at; (at = name.find("[abi:")) != name.npos;) {
    size_t end = name.find(']', at);
    if (end == name.npos)
      break;
    result += name.substr(0, at);
    name.remove_prefix(end + 1);
  }
  return result += name;
}

FunctionNames::FunctionNames(std::string_view symbol)
    : linked(symbol), base(without_copy_suffix(symbol)) {
  full = without_abi_tags(full_name(base));
  shorter = without_abi_tags(short_name(base));
  bare = without_template_arguments(shorter);
  shown = linked == base ? full : without_abi_tags(full_name(linked));
  // The short name begins where the return type ends.
  size_t at = full.find(shorter);
  plain = at == std::string::npos ? full : full.substr(at);
}

const std::string &FunctionNames::readable() const {
  if (readable_.empty())
    readable_ = readable_name(base);
  return readable_;
}

TypedName::TypedName(std::string_view text)
    : text_(without_abi_tags(text)), has_wildcards_(text_.find_first_of("*?[\\") != text_.npos) {}

bool TypedName::matches(const std::string &text) const {
  return fnmatch(text_.c_str(), text.c_str(), 0) == 0;
}

Means TypedName::means(const FunctionNames &names) const {
  for (const std::string *name :
       {&names.linked, &names.base, &names.full, &names.plain, &names.shorter, &names.shown})
    if (*name == text_)
      return Means::kName;
  if (names.readable() == text_)
    return Means::kName;
  for (const std::string *name : {&names.bare, &names.shorter, &names.readable(), &names.plain})
    if (is_end_of(*name, text_))
      return Means::kScopes;
  if (names.bare == text_)
    return Means::kScopes;
  if (has_wildcards_)
    for (const std::string *name :
         {&names.linked, &names.full, &names.plain, &names.shorter, &names.readable()})
      if (matches(*name))
        return Means::kGlob;
  return Means::kNothing;
}

} // namespace nophook
