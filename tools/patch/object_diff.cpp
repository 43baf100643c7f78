// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "patch/object_diff.h"

#include <fmt/format.h>
#include <set>

namespace nophook {

namespace {

using ItemKind = ObjectItem::Kind;

const ObjectItem *find(const ObjectItems &items, const std::string &name) {
  auto at = items.items.find(name);
  return at == items.items.end() ? nullptr : &at->second;
}

bool has_equal_contents(const ObjectItem &a, const ObjectItem &b) {
  return a.size == b.size && a.alignment == b.alignment && a.bytes == b.bytes &&
         a.references == b.references;
}

const char *refusal_of(const ObjectItem &before, const ObjectItem &after) {
  if (before.kind != after.kind)
    return "it is in another kind of memory now";
  switch (after.kind) {
  case ItemKind::kStartup:
    return "functions that run before main() or at exit have changed, and the program has started";
  case ItemKind::kThreadLocal:
    return "a thread-local variable has changed, and threads have theirs already";
  case ItemKind::kVariable:
    return before.size == after.size
               ? "its initial value has changed, and the program has used the variable already"
               : "its size has changed, and the program has allocated it already";
  case ItemKind::kConstant:
    return "the constant has changed, and other files may use it";
  case ItemKind::kFunction:
    return nullptr;
  }
  return nullptr;
}

const char *refusal_of_new(const ObjectItem &item) {
  if (item.kind == ItemKind::kThreadLocal)
    return "it is a new thread-local variable, and threads have their memory already";
  if (item.kind == ItemKind::kStartup)
    return "it runs before main() or at exit, and the program has started";
  return nullptr;
}

// The stems of numbered names whose number of items differs: then a name has another meaning in
// each object.
std::set<std::string> ambiguous_stems(const ObjectItems &before, const ObjectItems &after) {
  std::set<std::string> stems;
  for (const auto &[stem, count] : before.numbered) {
    auto at = after.numbered.find(stem);
    if (at != after.numbered.end() && at->second != count)
      stems.insert(stem);
  }
  return stems;
}

// Whether it is a table that the compiler made, or a constant that no other file can name.
bool is_own_constant(const ObjectItem &item) {
  return item.kind == ItemKind::kConstant && (!item.is_named || item.is_local);
}

bool uses_one_of(const std::set<std::string> &names, const ObjectItem &item) {
  for (const Reference &reference : item.references)
    if (names.contains(reference.target))
      return true;
  return false;
}

// The constants of this file that have changed, are new, or lead to such constants. A patch brings
// them, and so takes all functions that use them.
std::set<std::string> changed_constants(const ObjectItems &before, const ObjectItems &after) {
  std::set<std::string> changed;
  for (size_t found = ~size_t{0}; found != changed.size();) {
    found = changed.size();
    for (const auto &[name, item] : after.items) {
      const ObjectItem *old = find(before, name);
      if (is_own_constant(item) &&
          (!old || !has_equal_contents(*old, item) || uses_one_of(changed, item)))
        changed.insert(name);
    }
  }
  return changed;
}

} // namespace

ObjectDifference compare_objects(const ObjectItems &before, const ObjectItems &after) {
  ObjectDifference difference;
  for (const std::string &stem : ambiguous_stems(before, after))
    difference.refused.push_back(
        {stem, fmt::format("{} static items of this name have become {}: which is which?",
                           before.numbered.at(stem), after.numbered.at(stem))});
  const std::set<std::string> constants = changed_constants(before, after);
  for (const auto &[name, item] : after.items) {
    const ObjectItem *old = find(before, name);
    if (!old) {
      if (const char *reason = refusal_of_new(item))
        difference.refused.push_back({name, reason});
      else if (item.is_named)
        (item.kind == ItemKind::kVariable ? difference.added_data : difference.added)
            .push_back(name);
      continue;
    }
    const bool leads_to_changed = uses_one_of(constants, item);
    if (!has_equal_contents(*old, item) || leads_to_changed) {
      const char *reason = refusal_of(*old, item);
      if (is_own_constant(item) && is_own_constant(*old))
        reason = nullptr;
      else if (leads_to_changed && item.kind == ItemKind::kVariable)
        reason = "it points to a constant that has changed, and the program has the old one";
      if (reason)
        difference.refused.push_back({name, reason});
      else if (item.is_named)
        difference.changed.push_back(name);
    } else if (old->is_local != item.is_local) {
      difference.refused.push_back({name, "it is static in one version only"});
    }
  }
  if (constants.contains(".gcc_except_table"))
    difference.refused.push_back({".gcc_except_table",
                                  "the exception tables of all functions share a section: "
                                  "compile with -ffunction-sections"});
  for (const auto &[name, item] : before.items)
    if (item.kind == ItemKind::kFunction && !find(after, name))
      difference.unused.push_back(name);
  return difference;
}

} // namespace nophook
