// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "patch/unit_places.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

namespace nophook {

using namespace llvm::ELF;

namespace {

using ItemKind = ObjectItem::Kind;

bool has_code(const OldFile &file, const OldSymbol &symbol, const ObjectFunction &function) {
  const auto bytes = file.image().at(symbol.address, symbol.bytes);
  return symbol.bytes == function.bytes.size() && bytes.size() == symbol.bytes &&
         are_equal_outside(bytes, {(const uint8_t *)function.bytes.data(), function.bytes.size()},
                           function.fields);
}

// The local symbols behind one FILE symbol, compared with those of an object.
struct GroupMatch {
  size_t different = 0, equal = 0;
  uint32_t group = 0;
};

GroupMatch match_group(const OldFile &file, const ObjectSymbols &own, uint32_t group) {
  GroupMatch match = {0, 0, group};
  for (const OldSymbol *symbol : file.in_group(group)) {
    if (symbol->is_function()) {
      auto function = own.functions.find(symbol->name);
      const bool is_equal =
          function != own.functions.end() && has_code(file, *symbol, function->second);
      (is_equal ? match.equal : match.different)++;
    } else if (symbol->type == STT_OBJECT || symbol->type == STT_TLS) {
      (own.data.contains(symbol->name) ? match.equal : match.different)++;
    }
  }
  return match;
}

std::optional<GroupMatch> best_group(const OldFile &file, const UnitVersions &unit) {
  std::optional<GroupMatch> best;
  for (const uint32_t group :
       file.groups_of(std::filesystem::path(unit.unit.file).filename().string())) {
    const GroupMatch match = match_group(file, unit.own, group);
    if (!best || match.different < best->different ||
        (match.different == best->different && match.equal > best->equal))
      best = match;
  }
  return best && best->equal ? best : std::nullopt;
}

// Whether the file may have been linked from the unit. A function that is static, or that several
// units define (weak), has its name in other files as well, so its name proves nothing.
bool may_have(const OldFile &file, const UnitVersions &unit,
              const std::optional<GroupMatch> &group) {
  if (group && !group->different)
    return true;
  bool is_only_weak = true, has_weak = false;
  for (const auto &[name, function] : unit.own.functions) {
    if (function.is_local)
      continue;
    const OldSymbol *symbol = file.global(name);
    if (!function.is_weak && symbol && symbol->is_function())
      return true;
    is_only_weak &= function.is_weak;
    has_weak |= symbol != nullptr;
  }
  return is_only_weak && has_weak;
}

// The functions that differ between the versions, and whose code in the file is not the old
// version's.
std::vector<std::string> other_code(const OldFile &file, const PlacedUnit &placed) {
  const UnitVersions &unit = *placed.versions;
  std::vector<std::string> names;
  for (const std::string &name : unit.difference.changed) {
    const ObjectItem &item = unit.before.items.at(name);
    auto function = unit.own.functions.find(item.symbol);
    if (item.kind != ItemKind::kFunction || function == unit.own.functions.end())
      continue;
    const OldSymbol *symbol = item.is_local
                                  ? placed.group ? file.local(item.symbol, *placed.group) : nullptr
                                  : file.global(item.symbol);
    const bool is_missing = !symbol && item.is_local && !file.named(item.symbol).empty();
    if ((symbol && !has_code(file, *symbol, function->second)) || is_missing)
      names.push_back(name);
  }
  return names;
}

class Placer {
public:
  explicit Placer(UnitPlaces *into) : into_(*into) {}

  // Places a file's units. A source may have been compiled several times: the units whose code the
  // file has are placed.
  Result<> place(const OldFile &file, const std::vector<UnitVersions> &units) {
    std::map<std::string, std::vector<std::string>> different; // by source
    std::set<std::string> here;
    std::set<std::pair<std::string, std::string>> parts; // by source and part_of()
    for (const UnitVersions &unit : units) {
      const auto group = best_group(file, unit);
      if (unit.difference.is_empty() || !may_have(file, unit, group))
        continue;
      PlacedUnit placed = {&file, &unit, {}};
      if (group)
        placed.group = group->group;
      const auto names = other_code(file, placed);
      if (!names.empty())
        different[unit.unit.file] = names;
      else if (parts.emplace(unit.unit.file, part_of(file, placed)).second)
        into_.units.push_back(placed);
      if (names.empty())
        here.insert(unit.unit.file);
    }
    sources_.insert(here.begin(), here.end());
    for (auto &[source, names] : different) {
      if (here.contains(source))
        continue;
      // Another source's functions may have the same names.
      std::erase_if(names, [&](const std::string &name) { return is_placed(file, name); });
      if (!names.empty())
        return error_at(file.path(),
                        fmt::format("has other code of {} than {} gives: it was made from another "
                                    "version of the tree, with other flags, or by another compiler",
                                    fmt::join(names, ", "), source));
    }
    return {};
  }

  void finish(const std::vector<UnitVersions> &units) {
    for (const UnitVersions &unit : units)
      if (!unit.difference.is_empty() && sources_.insert(unit.unit.file).second)
        into_.elsewhere.push_back(unit.unit.file);
  }

private:
  // The part of the file that a unit has filled. If a source is compiled twice in the same way, the
  // file has one unit of it. If it is compiled with different definitions, the file may have both
  // units.
  static std::string part_of(const OldFile &file, const PlacedUnit &placed) {
    if (placed.group)
      return fmt::format("{}", *placed.group);
    for (const auto &[name, function] : placed.versions->own.functions)
      if (!function.is_local && file.global(name))
        return name;
    return {};
  }

  bool is_placed(const OldFile &file, const std::string &name) const {
    return std::ranges::any_of(into_.units, [&](const PlacedUnit &placed) {
      return placed.file == &file && placed.versions->own.functions.contains(name);
    });
  }

  UnitPlaces &into_;
  std::set<std::string> sources_; // sources of placed units
};

} // namespace

Result<UnitPlaces> place_units(const std::vector<OldFile> &files,
                               const std::vector<UnitVersions> &units) {
  UnitPlaces places;
  Placer placer(&places);
  for (const OldFile &file : files)
    NOPHOOK_TRY(placer.place(file, units));
  placer.finish(units);
  return places;
}

} // namespace nophook
