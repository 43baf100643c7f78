// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "patch/patch_plan.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

namespace nophook {

using namespace llvm::ELF;

namespace {

using Kind = ObjectItem::Kind;

bool has_code(const OldFile &file, const OldSymbol &symbol, const ObjectFunction &function) {
  const auto bytes = file.image().at(symbol.address, symbol.bytes);
  return symbol.bytes == function.bytes.size() && bytes.size() == symbol.bytes &&
         are_equal_outside(bytes, {(const uint8_t *)function.bytes.data(), function.bytes.size()},
                           function.fields);
}

const ObjectItem *find(const ObjectItems &items, const std::string &name) {
  auto alias = items.aliases.find(name);
  auto at = items.items.find(alias == items.aliases.end() ? name : alias->second);
  return at == items.items.end() ? nullptr : &at->second;
}

// Each library has its own, or the linker makes it.
bool is_of_each_file(const std::string &name) {
  return name == "__dso_handle" || name == "_GLOBAL_OFFSET_TABLE_" || name == "__TMC_END__" ||
         name == "_DYNAMIC" || name.starts_with("DW.ref.");
}

// What the names of an after version mean in the file that runs.
class UnitNames {
public:
  UnitNames(const OldFile &file, const UnitVersions &unit) : file_(file), unit_(unit) {
    for (const auto &[name, item] : unit.after.items)
      if (!item.symbol.empty())
        stable_[item.symbol] = name;
  }

  // Names of local items have a number of the compiler's, which is another one in each version;
  // object_items.h counts them again.
  std::string stable(const std::string &symbol) const {
    auto at = stable_.find(symbol);
    return at == stable_.end() ? symbol : at->second;
  }

  // Null: the file has it not.
  const OldSymbol *find_old(const std::string &stable_name, bool is_local) const {
    if (!is_local)
      return file_.global(stable_name);
    const ObjectItem *before = find(unit_.before, stable_name);
    if (!before || !unit_.group)
      return nullptr;
    const bool is_alias = unit_.before.aliases.contains(stable_name);
    return file_.local(is_alias || before->symbol.empty() ? stable_name : before->symbol,
                       *unit_.group);
  }

private:
  const OldFile &file_;
  const UnitVersions &unit_;
  std::map<std::string, std::string> stable_;
};

class Planner {
public:
  Planner(const OldFile &file, const std::vector<UnitVersions> &units,
          const std::set<std::string> &changed_functions)
      : file_(file), units_(units), changed_functions_(changed_functions) {
    object_ = file.object_name().empty() ? "program" : file.object_name();
  }

  PatchPlan make() {
    for (const UnitVersions &unit : units_) {
      names_.emplace_back(file_, unit);
      plan_.units.push_back({&unit, {}, {}, {}});
    }
    for (size_t i = 0; i < units_.size(); i++)
      choose(i);
    refuse_layouts();
    for (size_t i = 0; i < units_.size(); i++)
      if (!plan_.units[i].functions.empty() || !plan_.units[i].added.empty())
        write_list(i);
    std::erase_if(plan_.units, [](const UnitPlan &unit) {
      return unit.functions.empty() && unit.added.empty();
    });
    return std::move(plan_);
  }

private:
  void refuse(const UnitVersions &unit, const std::string &name, const std::string &reason) {
    plan_.refused.push_back({unit.name, name, reason});
  }

  void choose(size_t index) {
    const UnitVersions &unit = units_[index];
    for (const auto &[name, reason] : unit.difference.refused)
      refuse(unit, name, reason);
    for (const std::string &name : unit.difference.changed)
      choose_changed(index, name);
    for (const auto *list : {&unit.difference.added, &unit.difference.added_data})
      for (const std::string &name : *list)
        choose_added(index, name);
  }

  void choose_changed(size_t index, const std::string &name) {
    const UnitVersions &unit = units_[index];
    UnitPlan &plan = plan_.units[index];
    const ObjectItem &item = unit.after.items.at(name);
    if (item.kind != Kind::kFunction) {
      plan.list += fmt::format("take\t{}\n", item.symbol);
      taken_[index].insert(name);
      return;
    }
    const OldSymbol *old = names_[index].find_old(name, item.is_local);
    if (!old) {
      if (file_.named(item.symbol).empty()) // the linker has left it out
        add_new(index, name);
      else
        refuse(unit, name,
               "the program has functions of this name, but it is unknown which is of "
               "this file");
      return;
    }
    if (!item.is_local && !patched_.insert(name).second) {
      taken_[index].insert(name); // another unit's copy is the same
      return;
    }
    if (old->type == STT_GNU_IFUNC) {
      refuse(unit, name, "it is chosen when the program starts (ifunc)");
      return;
    }
    if (const std::string reason = change_of_type(unit, item); !reason.empty()) {
      const std::string user = unchanged_user(name, item.is_local ? &unit : nullptr);
      if (user.empty()) {
        add_new(index, name);
        return;
      }
      if (reason != kOwnConvention) {
        refuse(unit, name, fmt::format("{}, and {} uses it", reason, user));
        return;
      }
    }
    if (!file_.has_site(*old)) {
      refuse(unit, name,
             "it has no site: compile the program by nophook cc or nophook c++ (nophook "
             "why shows the reason)");
      return;
    }
    take(index, name, *old);
  }

  void take(size_t index, const std::string &name, const OldSymbol &old) {
    const UnitVersions &unit = units_[index];
    UnitPlan &plan = plan_.units[index];
    const ObjectItem &item = unit.after.items.at(name);
    PlannedFunction function = {old.linked,
                                old.function_position,
                                fmt::format("nophook_klp_new.{}.{}", index, item.symbol),
                                {},
                                false};
    function.is_changed_itself = changed_functions_.contains(item.symbol);
    if (auto facts = unit.new_facts.functions.find(item.symbol);
        facts != unit.new_facts.functions.end())
      std::ranges::set_intersection(facts->second.inlined, changed_functions_,
                                    std::back_inserter(function.because));
    plan.list += fmt::format("take\t{}\t{}\n", item.symbol, function.glue);
    taken_[index].insert(name);
    if (old.name == "main" && object_ == "program")
      plan_.notes.push_back("main() is left at the end of the program only: its new version never "
                            "runs, and the patch stays in transition (force ends that)");
    plan.functions.push_back(std::move(function));
  }

  void choose_added(size_t index, const std::string &name) {
    const ObjectItem &item = units_[index].after.items.at(name);
    if (!item.is_local && file_.global(name))
      return; // another unit has it already
    add_new(index, name);
  }

  void add_new(size_t index, const std::string &name) {
    const ObjectItem &item = units_[index].after.items.at(name);
    plan_.units[index].list += fmt::format("new\t{}\n", item.symbol);
    plan_.units[index].added.push_back(item.symbol);
    taken_[index].insert(name);
    if (!item.is_local)
      new_globals_.insert(name);
  }

  // The optimizer has chosen how it is called, in both versions. If a caller that has not changed
  // calls both, the choice is the same.
  static constexpr const char *kOwnConvention = "own convention";

  // Why old callers may not call the new version; empty: they may. An old caller that ends with a
  // jump to this function has left its frame, so the thread may change over at that jump.
  static std::string change_of_type(const UnitVersions &unit, const ObjectItem &item) {
    auto before = unit.old_facts.functions.find(item.symbol),
         after = unit.new_facts.functions.find(item.symbol);
    if (before == unit.old_facts.functions.end() || after == unit.new_facts.functions.end())
      return {};
    if (before->second.prototype != after->second.prototype)
      return fmt::format("its type has changed from {} to {}", before->second.prototype,
                         after->second.prototype);
    if (before->second.has_own_convention != after->second.has_own_convention)
      return "the optimizer has changed how it is called";
    return before->second.has_own_convention ? kOwnConvention : "";
  }

  // Something that refers to the function, in all units or in `only`, and will not be in the patch;
  // or refers to it other than by a call. Empty: there is nothing.
  std::string unchanged_user(const std::string &name, const UnitVersions *only) const {
    for (const UnitVersions &unit : units_) {
      if (only && &unit != only)
        continue;
      for (const auto &[user, item] : unit.after.items) {
        const bool is_new =
            !find(unit.before, user) ||
            std::ranges::find(unit.difference.changed, user) != unit.difference.changed.end();
        for (const Reference &reference : item.references)
          if (reference.target == name &&
              (!is_new || item.kind != Kind::kFunction || reference.type != R_X86_64_PLT32))
            return user;
      }
    }
    return {};
  }

  void refuse_layouts() {
    std::set<std::string> refused;
    for (const UnitVersions &unit : units_)
      for (const auto &[name, layout] : unit.new_facts.layouts)
        if (auto old = unit.old_facts.layouts.find(name); old != unit.old_facts.layouts.end() &&
                                                          old->second != layout &&
                                                          refused.insert(name).second)
          refuse(unit, name,
                 fmt::format("its layout has changed from {} to {}, and the program may have "
                             "objects of it: put new data into shadow variables (livepatch.h)",
                             short_layout(old->second), short_layout(layout)));
  }

  // "16 bytes" of "16 bytes: int a at 0.0/0, ..."
  static std::string short_layout(const std::string &layout) {
    return layout.substr(0, layout.find(':'));
  }

  void write_list(size_t index) {
    const UnitVersions &unit = units_[index];
    for (const auto &[symbol, function] : unit.after_symbols.functions)
      write_old(index, symbol, function.is_local);
    for (const auto &[symbol, is_local] : unit.after_symbols.data)
      write_old(index, symbol, is_local);
    for (const std::string &symbol : unit.after_symbols.undefined)
      write_old(index, symbol, false);
  }

  void write_old(size_t index, const std::string &symbol, bool is_local) {
    UnitPlan &plan = plan_.units[index];
    if (is_of_each_file(symbol) || std::ranges::find(plan.added, symbol) != plan.added.end())
      return;
    const std::string name = names_[index].stable(symbol);
    if (!is_local && new_globals_.contains(name)) {
      if (std::ranges::find(units_[index].after_symbols.undefined, symbol) !=
          units_[index].after_symbols.undefined.end())
        plan.list += fmt::format("new\t{}\n", symbol);
      return;
    }
    // A constant that has changed is the patch's.
    const ObjectItem *item = find(units_[index].after, name);
    if (item && item->kind == Kind::kConstant && taken_[index].contains(name))
      return;
    const OldSymbol *old = names_[index].find_old(name, is_local);
    if (!old || old->type == STT_NOTYPE)
      return;
    plan.list +=
        fmt::format("old\t{}\t.klp.sym.{}.{},{}\n", symbol, object_, old->name, old->position);
  }

  const OldFile &file_;
  const std::vector<UnitVersions> &units_;
  const std::set<std::string> &changed_functions_;
  std::string object_;
  std::vector<UnitNames> names_;
  PatchPlan plan_;
  std::map<size_t, std::set<std::string>> taken_; // by unit
  std::set<std::string> patched_;                 // global functions
  std::set<std::string> new_globals_;
};

struct Match {
  size_t different = 0, equal = 0;
  uint32_t group = 0;
};

Match match_group(const OldFile &file, const ObjectSymbols &own, uint32_t group) {
  Match match = {0, 0, group};
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

} // namespace

std::vector<std::string> match_unit(const OldFile &file, UnitVersions *unit) {
  std::optional<Match> best;
  for (const uint32_t group :
       file.groups_of(std::filesystem::path(unit->unit.file).filename().string())) {
    const Match match = match_group(file, unit->own, group);
    if (!best || match.different < best->different ||
        (match.different == best->different && match.equal > best->equal))
      best = match;
  }
  if (best && best->equal)
    unit->group = best->group;
  std::vector<std::string> different;
  for (const std::string &name : unit->difference.changed) {
    const ObjectItem &item = unit->before.items.at(name);
    auto function = unit->own.functions.find(item.symbol);
    if (item.kind != Kind::kFunction || function == unit->own.functions.end())
      continue;
    const OldSymbol *symbol = item.is_local
                                  ? unit->group ? file.local(item.symbol, *unit->group) : nullptr
                                  : file.global(item.symbol);
    const bool is_missing = !symbol && item.is_local && !file.named(item.symbol).empty();
    if ((symbol && !has_code(file, *symbol, function->second)) || is_missing)
      different.push_back(name);
  }
  return different;
}

PatchPlan make_plan(const OldFile &file, const std::vector<UnitVersions> &units,
                    const std::set<std::string> &changed_functions) {
  return Planner(file, units, changed_functions).make();
}

} // namespace nophook
