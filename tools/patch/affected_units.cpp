// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "patch/affected_units.h"

#include "patch/program_run.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace nophook {

namespace {

bool is_header(const std::string &path) {
  const std::string name = path.substr(path.rfind('/') + 1);
  const size_t dot = name.rfind('.');
  const std::string extension = dot == std::string::npos ? "" : name.substr(dot);
  for (const char *other : {".md", ".txt", ".rst", ".html", ".1", ".3", ".po", ".json", ".yml",
                            ".py", ".sh", ".pl", ".am", ".ac", ".cmake", ".build", ".test", ".in"})
    if (extension == other)
      return false;
  return true;
}

} // namespace

Result<std::vector<Unit>> find_affected(const std::vector<Unit> &units,
                                        const PatchedSources &sources,
                                        std::vector<std::string> *skipped) {
  std::set<std::string> changed_units, headers, unused;
  for (const PatchedSource &source : sources.files) {
    const bool is_unit =
        std::ranges::any_of(units, [&](const Unit &unit) { return unit.file == source.path; });
    if (is_unit && source.copy.empty())
      return error_at(source.path,
                      "is removed by the diff: the program goes on to use it, so leave "
                      "that out of the diff");
    if (is_unit)
      changed_units.insert(source.path);
    else if (is_header(source.path)) {
      headers.insert(source.path);
      if (!source.copy.empty())
        unused.insert(source.path);
    }
  }
  std::vector<ProgramRun> runs;
  std::vector<size_t> asked;
  std::vector<Unit> affected;
  for (size_t i = 0; i < units.size(); i++)
    if (!headers.empty() && refusal_of(units[i]).empty()) {
      // The new version of a changed unit may include more.
      const bool is_changed = changed_units.contains(units[i].file);
      runs.push_back(
          {dependencies_command(
               units[i], is_changed ? std::vector<std::string>{"-ivfsoverlay", sources.overlay}
                                    : std::vector<std::string>()),
           units[i].directory, "", 0});
      asked.push_back(i);
    }
  run_programs(&runs, "looking for files that include a changed header:");
  std::set<size_t> including;
  for (size_t i = 0; i < runs.size(); i++)
    for (const std::string &file : dependencies_in(runs[i].output, runs[i].directory))
      if (headers.contains(file)) {
        including.insert(asked[i]);
        unused.erase(file);
      }
  // The headers of a unit whose command cannot be asked are unknown; the unit is refused if it is
  // affected.
  if (std::ranges::all_of(units, [](const Unit &unit) { return refusal_of(unit).empty(); }))
    skipped->assign(unused.begin(), unused.end());
  for (size_t i = 0; i < units.size(); i++)
    if (changed_units.contains(units[i].file) || including.contains(i))
      affected.push_back(units[i]);
  if (affected.empty())
    return error_at(sources.files.front().path,
                    "no command of compile_commands.json compiles it or includes it");
  return affected;
}

} // namespace nophook
