// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nophook patch: live patches.

#include "foundation/file.h"
#include "foundation/json.h"
#include "foundation/options.h"
#include "foundation/output.h"
#include "patch/apply.h"
#include "patch/build_patch.h"
#include "patch/live_patches.h"
#include "patch/object_diff.h"
#include "process/control/choose.h"
#include "process/drain/dir_option.h"
#include "read/symbols/readable_name.h"
#include "verbs.h"

#include <filesystem>
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

Result<int> build_from(const std::vector<std::string> &words, bool json, BuildRequest request) {
  if (words.size() != 1)
    return Error{"patch", "", "build needs one file, a diff (see nophook patch --help)",
                 kExitUsage};
  request.diff = words[0];
  request.json = json;
  if (request.output.empty())
    request.output = std::filesystem::path(words[0]).stem().string() + ".so";
  return build_patch(request);
}

// Does one of the actions on a patch of a process.
Result<int> change(const std::string &action, std::vector<std::string> words,
                   const ChangeOptions &options) {
  // A file's name may be a number, too; the process's number is taken out first.
  auto pid = choose_process(&words);
  if (words.size() != 1)
    return Error{"patch", "",
                 fmt::format("{} takes a process and {} (see nophook patch --help)", action,
                             action == "apply" ? "a library" : "the name of a live patch"),
                 kExitUsage};
  NOPHOOK_TRY(pid);
  return action == "apply"    ? apply_patch(*pid, words[0], options)
         : action == "revert" ? revert_patch(*pid, words[0], options)
                              : unload_patch(*pid, words[0], options);
}

} // namespace

Result<int> patch_verb(const Arguments &arguments) {
  std::string action;
  std::vector<std::string> words;
  bool json = false, waits = false, stops = false;
  std::chrono::milliseconds timeout(0);
  BuildRequest build;
  build.directory = ".";
  const VerbOptions verb = {
      "nophook patch",
      "Live patches. `build` makes one from a diff of the sources. `apply` loads one into a "
      "process "
      "that serves, `revert` disables it, `unload` unloads its library then. `list` shows the "
      "patches of the process, `status` also the threads that "
      "they wait for. `compare` compares two versions of an object file, and shows what a live "
      "patch would take from the new one, and what it refuses.",
      {{"ACTION",
        &action,
        "what to do",
        {.required = true, .allowed = "apply build compare list revert status unload"}},
       {"ARGUMENT", &words,
        "of build: the diff; of compare: two files, the object of the running program, and that of "
        "the corrected source; of the others: the process (the one that serves); then, of apply: "
        "the "
        "library, of revert and unload: the name of the patch"},
       {"-o,--output",
        &build.output,
        "of build: the library (default: the diff's name with .so)",
        {.type = "FILE"}},
       {"--for",
        &build.files,
        "of build: the program or library that runs; may be given again for its libraries",
        {.type = "FILE"}},
       {"--compile-commands",
        &build.compile_commands,
        "of build: compile_commands.json, or its folder",
        {.type = "FILE"}},
       {"-d,--directory",
        &build.directory,
        "of build: the source tree (default: here)",
        {.type = "DIR"}},
       {"-p,--strip",
        &build.strip,
        "of build: the folders to strip from names in the diff",
        {.type = "NUMBER", .range = {0, 99}}},
       {"--wait", &waits, "apply and revert: until all threads have changed over"},
       {"--timeout",
        &timeout,
        "with --wait, and of unload: wait so long at most, then exit with status 3; what is waited "
        "for goes on",
        {.type = "TIME"}},
       {"--stop-threads", &stops,
        "of apply, revert, unload and status: a thread that is waited for and runs is stopped for "
        "a "
        "moment, and changed over if its stack shows that it is outside"},
       {"--json", &json,
        "JSON objects: one for each patch, or one that compares, with linked names"},
       dir_option()},
      "For compare, compile both objects with the same options, and -ffunction-sections "
      "-fdata-sections; with gcc -O0 also -fmerge-constants, or more functions than necessary are "
      "found."};
  auto go_on = parse(verb, arguments);
  NOPHOOK_TRY(go_on);
  if (!*go_on)
    return kExitOk;
  if (action == "compare") {
    if (words.size() != 2)
      return Error{"patch", "",
                   "compare needs two files, BEFORE and AFTER (see nophook patch --help)",
                   kExitUsage};
    return compare(words[0], words[1], json);
  }
  if (action == "build")
    return build_from(words, json, std::move(build));
  if (action == "apply" || action == "revert" || action == "unload")
    return change(action, words,
                  {waits, json, stops, timeout.count() ? std::optional(timeout) : std::nullopt});
  auto pid = choose_process(&words);
  if (!words.empty())
    return Error{"patch", "", action + " takes one process (see nophook patch --help)", kExitUsage};
  NOPHOOK_TRY(pid);
  NOPHOOK_TRY(action == "list" ? list_live_patches(*pid, json)
                               : show_live_patches(*pid, json, stops));
  return kExitOk;
}

} // namespace nophook
