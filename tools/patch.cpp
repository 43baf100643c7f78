// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nophook patch: live patches.

#include "base/file.h"
#include "base/json.h"
#include "base/options.h"
#include "base/output.h"
#include "patch/object_diff.h"
#include "symbols/readable_name.h"
#include "verbs.h"

#include <fmt/format.h>

namespace nophook {

namespace {

void print_names(Output &output, const char *what, const std::vector<std::string> &names) {
  for (const std::string &name : names)
    output.line("{:<9} {}", what, printable(readable_name(name)));
}

Json list_of(const std::vector<std::string> &names) {
  Json list = Json::list();
  for (const std::string &name : names)
    list.push(printable(name));
  return list;
}

Result<int> compare(const std::string &before, const std::string &after, bool json) {
  auto old_items = read_object_items(before);
  NOPHOOK_TRY(old_items);
  auto new_items = read_object_items(after);
  NOPHOOK_TRY(new_items);
  const ObjectDifference difference = compare_objects(*old_items, *new_items);
  Output output;
  if (json) {
    Json refused = Json::list();
    for (const auto &[name, reason] : difference.refused)
      refused.push(Json{{"name", printable(name)}, {"reason", reason}});
    output.line("{}", Json{{"changed", list_of(difference.changed)},
                           {"added", list_of(difference.added)},
                           {"added_data", list_of(difference.added_data)},
                           {"unused", list_of(difference.unused)},
                           {"refused", refused}}
                          .text());
  } else {
    print_names(output, "changed", difference.changed);
    print_names(output, "new", difference.added);
    print_names(output, "new data", difference.added_data);
    print_names(output, "unused", difference.unused);
    for (const auto &[name, reason] : difference.refused)
      output.line("{:<9} {}: {}", "refused", printable(readable_name(name)), reason);
    if (difference.is_empty())
      output.line("no function has changed");
  }
  NOPHOOK_TRY(output.flush());
  return difference.refused.empty() ? kExitOk : kExitFailure;
}

} // namespace

Result<int> patch_verb(const Arguments &arguments) {
  std::string action;
  std::vector<std::string> files;
  bool json = false;
  const VerbOptions verb = {
      "nophook patch",
      "Live patches. `compare BEFORE AFTER` compares two versions of an object file, and shows "
      "what a "
      "live patch would take from the new one, and what it refuses.",
      {{"ACTION", &action, "what to do", {.required = true, .allowed = "compare"}},
       {"FILE", &files,
        "of compare: the object of the running program, and that of the corrected source"},
       {"--json", &json, "one JSON object, with linked names"}},
      "Compile both objects with the same options, and -ffunction-sections -fdata-sections; with "
      "gcc -O0 "
      "also -fmerge-constants, or more functions than necessary are found."};
  auto go_on = parse(verb, arguments);
  NOPHOOK_TRY(go_on);
  if (!*go_on)
    return kExitOk;
  if (files.size() != 2)
    return Error{"patch", "",
                 "compare needs two files, BEFORE and AFTER (see nophook patch --help)",
                 kExitUsage};
  return compare(files[0], files[1], json);
}

} // namespace nophook
