// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "patch/patch_plan.h"

#include "read/symbols/readable_name.h"

#include <algorithm>
#include <fmt/format.h>

namespace nophook {

using namespace llvm::ELF;

namespace {

using ItemKind = ObjectItem::Kind;

const ObjectItem *find_by_any_name(const ObjectItems &items, const std::string &name) {
  auto alias = items.aliases.find(name);
  auto at = items.items.find(alias == items.aliases.end() ? name : alias->second);
  return at == items.items.end() ? nullptr : &at->second;
}

// Whether each library has its own symbol of this name, or the linker makes it.
bool is_of_each_file(const std::string &name) {
  return name == "__dso_handle" || name == "_GLOBAL_OFFSET_TABLE_" || name == "__TMC_END__" ||
         name == "_DYNAMIC" || name.starts_with("DW.ref.");
}

// The meaning of an after version's names in the file that runs.
class UnitNames {
public:
  explicit UnitNames(const PlacedUnit &unit) : unit_(unit) {
    for (const auto &[name, item] : unit.versions->after.items)
      if (!item.symbol.empty())
        stable_[item.symbol] = name;
  }

  // A symbol's name with a number that is the same in both versions. The compiler's numbers of
  // local items differ between versions; object_items.h counts them again.
  std::string stable(const std::string &symbol) const {
    auto at = stable_.find(symbol);
    return at == stable_.end() ? symbol : at->second;
  }

  // The symbol in the old file; null: there is none.
  const OldSymbol *find_old(const std::string &stable_name, bool is_local) const {
    if (!is_local)
      return unit_.file->global(stable_name);
    const ObjectItems &items = unit_.versions->before;
    const ObjectItem *before = find_by_any_name(items, stable_name);
    if (!before || !unit_.group)
      return nullptr;
    const bool is_alias = items.aliases.contains(stable_name);
    return unit_.file->local(is_alias || before->symbol.empty() ? stable_name : before->symbol,
                             *unit_.group);
  }

private:
  const PlacedUnit &unit_;
  std::map<std::string, std::string> stable_;
};

class Planner {
public:
  Planner(const std::vector<PlacedUnit> &units, const std::vector<UnitVersions> &compiled,
          const std::set<std::string> &changed_functions)
      : units_(units), compiled_(compiled), changed_functions_(changed_functions) {}

  PatchPlan make() {
    for (const PlacedUnit &unit : units_) {
      names_.emplace_back(unit);
      plan_.units.push_back({unit.file, unit.versions, {}, {}, {}});
    }
    for (size_t i = 0; i < units_.size(); i++)
      choose(i);
    refuse_layouts();
    for (size_t i = 0; i < units_.size(); i++)
      note_hoisted_calls(i);
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

  const UnitVersions &versions(size_t index) const { return *units_[index].versions; }
  const OldFile &file(size_t index) const { return *units_[index].file; }

  void choose(size_t index) {
    const UnitVersions &unit = versions(index);
    for (const auto &[name, reason] : unit.difference.refused)
      refuse(unit, name, reason);
    for (const std::string &name : unit.difference.changed)
      choose_changed(index, name);
    for (const auto *list : {&unit.difference.added, &unit.difference.added_data})
      for (const std::string &name : *list)
        choose_added(index, name);
  }

  void choose_changed(size_t index, const std::string &name) {
    const UnitVersions &unit = versions(index);
    UnitPlan &plan = plan_.units[index];
    const ObjectItem &item = unit.after.items.at(name);
    if (item.kind != ItemKind::kFunction) {
      plan.list += fmt::format("take\t{}\n", item.symbol);
      taken_[index].insert(name);
      return;
    }
    const OldSymbol *old = names_[index].find_old(name, item.is_local);
    if (!old) {
      if (file(index).named(item.symbol).empty()) // the linker has left it out
        add_new(index, name);
      else
        refuse(unit, name,
               file(index).path() + " has functions of this name, but it is unknown which is of "
                                    "this file");
      return;
    }
    if (!item.is_local && !patched_.emplace(&file(index), name).second) {
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
    if (!file(index).has_site(*old)) {
      refuse(unit, name,
             "it has no site: compile the program by nophook cc or nophook c++ (nophook "
             "why shows the reason)");
      return;
    }
    take(index, name, *old);
  }

  void take(size_t index, const std::string &name, const OldSymbol &old) {
    const UnitVersions &unit = versions(index);
    UnitPlan &plan = plan_.units[index];
    const ObjectItem &item = unit.after.items.at(name);
    PlannedFunction function = {old.linked,
                                old.function_position,
                                fmt::format("nophook_klp_new.{}.{}", index, item.symbol),
                                {},
                                false,
                                old.name == "main" && file(index).is_program(),
                                stay_of(unit.old_compiler, item.symbol),
                                stay_of(unit.new_compiler, item.symbol)};
    function.is_changed_itself = changed_functions_.contains(item.symbol);
    if (auto facts = unit.new_facts.functions.find(item.symbol);
        facts != unit.new_facts.functions.end())
      std::ranges::set_intersection(facts->second.inlined, changed_functions_,
                                    std::back_inserter(function.because));
    plan.list += fmt::format("take\t{}\t{}\n", item.symbol, function.glue);
    taken_[index].insert(name);
    note_stay(function);
    plan.functions.push_back(std::move(function));
  }

  static FunctionStay stay_of(const CompilerFacts &facts, const std::string &symbol) {
    auto at = facts.stays.find(symbol);
    return at == facts.stays.end() ? FunctionStay() : at->second;
  }

  // Adds a note for the user that a transition may not end.
  void note_stay(const PlannedFunction &function) {
    if (function.is_main) {
      plan_.notes.push_back("main() is left at the end of the program only: its new version never "
                            "runs, and the patch stays in transition (force ends that)");
      return;
    }
    const FunctionStay &before = function.old_stay, &after = function.new_stay;
    const std::string name = readable_name(function.name);
    if (before.kind == FunctionStay::Kind::kEndless)
      plan_.notes.push_back(fmt::format(
          "{} {}: a thread that is in it stays in the old version, and the patch in transition "
          "(force ends that)",
          name, text_of(before)));
    else if (before.kind == FunctionStay::Kind::kWaits)
      plan_.notes.push_back(fmt::format(
          "{} {}: a thread that is in it may stay in the old version, and the patch in transition, "
          "for long",
          name, text_of(before)));
    if (after.kind == FunctionStay::Kind::kEndless && before.kind != FunctionStay::Kind::kEndless)
      plan_.notes.push_back(fmt::format("the new version of {} {}: a thread that enters it keeps "
                                        "the patch from being reverted (force ends that)",
                                        name, text_of(after)));
  }

  // Adds notes about callers that keep the old version's answer, though they have the call in a
  // loop in their source.
  void note_hoisted_calls(size_t index) {
    const auto &callers = versions(index).old_compiler.hoisting_callers;
    for (const PlannedFunction &function : plan_.units[index].functions)
      if (const auto found = callers.find(function.name); found != callers.end())
        for (const std::string &caller : found->second)
          plan_.notes.push_back(fmt::format("{0} calls {1} in a loop, and the compiler has moved "
                                            "the call in front of the loop: a "
                                            "thread in the loop keeps the answer of the old {1}",
                                            readable_name(caller), readable_name(function.name)));
  }

  void choose_added(size_t index, const std::string &name) {
    const ObjectItem &item = versions(index).after.items.at(name);
    if (!item.is_local && file(index).global(name))
      return; // another unit has it already
    add_new(index, name);
  }

  void add_new(size_t index, const std::string &name) {
    const ObjectItem &item = versions(index).after.items.at(name);
    plan_.units[index].list += fmt::format("new\t{}\n", item.symbol);
    plan_.units[index].added.push_back(item.symbol);
    taken_[index].insert(name);
    if (item.is_local)
      return;
    const auto [at, is_first] = new_globals_.emplace(name, &file(index));
    const auto function = versions(index).after_symbols.functions.find(name);
    const bool is_weak =
        function != versions(index).after_symbols.functions.end() && function->second.is_weak;
    if (!is_first && at->second != &file(index) && !is_weak)
      refuse(versions(index), name,
             fmt::format("it is new in {} and in {}: build a patch for each (--for)",
                         at->second->path(), file(index).path()));
  }

  // The optimizer has chosen the calling convention in both versions. If an unchanged caller calls
  // both, the choice is the same.
  static constexpr const char *kOwnConvention = "own convention";

  static std::string convention_of(const CompilerFacts &facts, const std::string &symbol) {
    auto at = facts.conventions.find(symbol);
    return at == facts.conventions.end() ? std::string() : at->second;
  }

  // The reason why old callers must not call the new version; empty: they may. An old caller that
  // ends with a jump to this function has left its frame, so the thread may change over at that
  // jump.
  static std::string change_of_type(const UnitVersions &unit, const ObjectItem &item) {
    auto before = unit.old_facts.functions.find(item.symbol),
         after = unit.new_facts.functions.find(item.symbol);
    if (before == unit.old_facts.functions.end() || after == unit.new_facts.functions.end())
      return {};
    if (before->second.prototype != after->second.prototype)
      return fmt::format("its type has changed from {} to {}", before->second.prototype,
                         after->second.prototype);
    const std::string was = convention_of(unit.old_compiler, item.symbol),
                      is = convention_of(unit.new_compiler, item.symbol);
    if (was != is)
      return "the optimizer has changed how it is called";
    return was.empty() ? "" : kOwnConvention;
  }

  // An item that refers to the function, in all units or in `only`, and will not be in the patch;
  // or an item that refers to it other than by a call. Empty: there is none.
  std::string unchanged_user(const std::string &name, const UnitVersions *only) const {
    for (const UnitVersions &unit : compiled_) {
      if (only && &unit != only)
        continue;
      for (const auto &[user, item] : unit.after.items) {
        const bool is_new =
            !find_by_any_name(unit.before, user) ||
            std::ranges::find(unit.difference.changed, user) != unit.difference.changed.end();
        for (const Reference &reference : item.references)
          if (reference.target == name &&
              (!is_new || item.kind != ItemKind::kFunction || reference.type != R_X86_64_PLT32))
            return user;
      }
    }
    return {};
  }

  void refuse_layouts() {
    std::set<std::string> refused;
    for (const PlacedUnit &unit : units_)
      for (const auto &[name, layout] : unit.versions->new_facts.layouts)
        if (auto old = unit.versions->old_facts.layouts.find(name);
            old != unit.versions->old_facts.layouts.end() && old->second != layout &&
            refused.insert(name).second)
          refuse(*unit.versions, name,
                 fmt::format("its layout has changed from {} to {}, and the program may have "
                             "objects of it: put new data into shadow variables (livepatch.h)",
                             short_layout(old->second), short_layout(layout)));
  }

  // The size in a layout: "16 bytes" of "16 bytes: int a at 0.0/0, ..."
  static std::string short_layout(const std::string &layout) {
    return layout.substr(0, layout.find(':'));
  }

  void write_list(size_t index) {
    const UnitVersions &unit = versions(index);
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
    if (const auto made = new_globals_.find(name); !is_local && made != new_globals_.end()) {
      const auto &undefined = versions(index).after_symbols.undefined;
      if (std::ranges::find(undefined, symbol) == undefined.end())
        return;
      plan.list += fmt::format("new\t{}\n", symbol);
      if (!has_loaded(file(index), *made->second))
        refuse(versions(index), name,
               fmt::format("it is new in {}, which {} does not need, and which may not be loaded",
                           made->second->path(), file(index).path()));
      return;
    }
    // A changed constant is in the patch.
    const ObjectItem *item = find_by_any_name(versions(index).after, name);
    if (item && item->kind == ItemKind::kConstant && taken_[index].contains(name))
      return;
    const OldSymbol *old = names_[index].find_old(name, is_local);
    if (!old || old->type == STT_NOTYPE)
      return;
    plan.list += fmt::format("old\t{}\t.klp.sym.{}.{},{}\n", symbol,
                             file(index).is_program() ? "program" : file(index).object_name(),
                             old->name, old->position);
  }

  // Whether code of `user` runs only while `other` is loaded.
  static bool has_loaded(const OldFile &user, const OldFile &other) {
    const auto needed = user.image().dynamic_strings(DT_NEEDED);
    return &user == &other || other.is_program() ||
           std::ranges::find(needed, other.object_name()) != needed.end();
  }

  const std::vector<PlacedUnit> &units_;
  const std::vector<UnitVersions> &compiled_;
  const std::set<std::string> &changed_functions_;
  std::vector<UnitNames> names_;
  PatchPlan plan_;
  std::map<size_t, std::set<std::string>> taken_;             // by unit
  std::set<std::pair<const OldFile *, std::string>> patched_; // global functions
  std::map<std::string, const OldFile *> new_globals_;        // and the first file that gets each
};

} // namespace

PatchPlan make_plan(const std::vector<PlacedUnit> &units, const std::vector<UnitVersions> &compiled,
                    const std::set<std::string> &changed_functions) {
  return Planner(units, compiled, changed_functions).make();
}

} // namespace nophook
