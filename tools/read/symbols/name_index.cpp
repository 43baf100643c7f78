// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ranks names by their distance from the typed one.

#include "read/symbols/name_index.h"

#include "read/symbols/site_table.h"
#include "read/symbols/symbol_table.h"

#include <algorithm>
#include <llvm/ADT/StringRef.h>
#include <set>

namespace nophook {

void NameIndex::add(const ElfImage &image) {
  std::vector<Site> sites = read_sites(image).sites;
  for (const Symbol &symbol : SymbolTable::of(image).all_names()) {
    auto site = std::ranges::lower_bound(sites, symbol.address, {}, &Site::address);
    if (site == sites.end() || site->address - symbol.address >= (symbol.bytes ? symbol.bytes : 5))
      continue;
    const Function &function = functions_.emplace_back(FunctionNames(symbol.name), site->address);
    const FunctionNames &names = function.names;
    std::set<std::string_view> different = {names.linked, names.base,    names.full,
                                            names.plain,  names.shorter, names.shown};
    for (std::string_view name : different)
      by_name_.emplace(name, &function);
  }
}

NameIndex::Found NameIndex::find(const std::string &typed) const {
  Found found;
  TypedName wanted(typed);
  auto [first, last] = by_name_.equal_range(wanted.text());
  for (; first != last; ++first)
    found.functions.push_back(first->second);
  if (!found.functions.empty()) {
    found.how = Means::kName;
    return found;
  }
  for (const Function &function : functions_) {
    Means how = wanted.means(function.names);
    if (how > found.how)
      found = {how, {}};
    if (how != Means::kNothing && how == found.how)
      found.functions.push_back(&function);
  }
  return found;
}

std::string NameIndex::nearest(const std::string &typed) const {
  std::vector<std::string> names;
  for (const Function &function : functions_)
    names.push_back(function.names.shorter);
  return nearest_names(names, typed);
}

std::string nearest_names(const std::vector<std::string> &names, const std::string &typed) {
  std::string wanted = without_abi_tags(typed);
  auto most = (unsigned)std::max<size_t>(2, wanted.size() / 3);
  std::set<std::pair<unsigned, std::string>> similar;
  for (const std::string &name : names) {
    unsigned distance = llvm::StringRef(name).edit_distance_insensitive(wanted, true, most + 1);
    if (name.find("::" + wanted) != std::string::npos)
      distance = 1;
    // The name without its scopes, which a user may leave out.
    else if (size_t scope = name.rfind("::"); scope != std::string::npos)
      distance =
          std::min(distance, llvm::StringRef(name).drop_front(scope + 2).edit_distance_insensitive(
                                 wanted, true, most + 1));
    if (distance <= most)
      similar.insert({distance, name});
  }
  std::string list;
  size_t count = 0;
  for (auto at = similar.begin(); at != similar.end() && count < 3; ++at, count++)
    list += (count ? ", " : "") + at->second;
  return list;
}

} // namespace nophook
