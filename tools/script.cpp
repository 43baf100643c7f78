// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nophook script: runs a Python program that reads a recording by the module `nophook`
// (python/nophook.py), which is found beside this command. It prints what no report prints.

#include "foundation/file.h"
#include "foundation/installation.h"
#include "foundation/json.h"
#include "read/select/selection_options.h"
#include "verbs.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <unistd.h>

namespace nophook {

namespace {

// A value for PYTHONPATH: the module's folder, then the folders of the user.
std::string python_path(const std::string &module) {
  const char *others = std::getenv("PYTHONPATH");
  return std::filesystem::path(module).parent_path().string() +
         (others && *others ? ":" + std::string(others) : "");
}

Error execute(std::vector<std::string> words) {
  std::vector<char *> argv;
  for (std::string &word : words)
    argv.push_back(word.data());
  argv.push_back(nullptr);
  ::execvp(argv[0], argv.data());
  return system_error(words.front(), "cannot be run (the scripts need Python 3)");
}

} // namespace

Result<int> script_verb(const Arguments &arguments) {
  std::string file, path = "nophook.data", python = "python3";
  Selection selection;
  VerbOptions verb = {
      "nophook script",
      "Runs a Python program that reads a recording. Words behind PATH are the program's.",
      {{"FILE", &file, "the program, which imports the module nophook", {.required = true}},
       {"PATH", &path, "the recording (nophook.data)"},
       {"--python", &python, "the interpreter (python3)", {.type = "PROGRAM"}}},
      "usage: nophook script [OPTIONS] FILE [PATH [ARGUMENT...]]"};
  add_selection_options(&verb, &selection);
  // Our options end at the file's name: an argument behind the recording may look like one.
  size_t at = 0;
  while (at < arguments.size() && arguments[at].starts_with("-") && arguments[at].size() > 1)
    at += verb.takes_value(arguments[at]) ? 2 : 1;
  const size_t own = std::min(at + 2, arguments.size());
  auto go_on = parse(verb, {arguments.begin(), arguments.begin() + (ptrdiff_t)own});
  NOPHOOK_TRY(go_on);
  if (!*go_on)
    return kExitOk;
  NOPHOOK_TRY(read_times("script", &selection));
  std::error_code error;
  if (!std::filesystem::exists(file, error))
    return error_at(file, "there is no such script");
  const auto self = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error)
    return error_at("/proc/self/exe", error.message());
  auto module = find_python_module();
  NOPHOOK_TRY(module);
  ::setenv("PYTHONPATH", python_path(*module).c_str(), 1);
  ::setenv("NOPHOOK_COMMAND", self.c_str(), 1);
  ::setenv("NOPHOOK_RECORDING", path.c_str(), 1);
  Json options = Json::list();
  for (const std::string &word : selection_words(selection))
    options.push(word);
  ::setenv("NOPHOOK_SELECTION", options.text().c_str(), 1);
  std::vector<std::string> words = {python, file};
  words.insert(words.end(), arguments.begin() + (ptrdiff_t)own, arguments.end());
  return execute(std::move(words));
}

} // namespace nophook
