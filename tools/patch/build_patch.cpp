// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "patch/build_patch.h"

#include "base/output.h"
#include "patch/affected_units.h"
#include "patch/build_report.h"
#include "patch/find_old_file.h"
#include "patch/patch_library.h"
#include "patch/program_run.h"
#include "patch/unit_versions.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

namespace nophook {

namespace fs = std::filesystem;

namespace {

// The functions that the diff has lines of.
std::set<std::string> changed_functions(const PatchedSources &sources,
                                        const std::vector<UnitVersions> &units) {
  std::set<std::string> names;
  for (const UnitVersions &unit : units)
    for (const PatchedSource &source : sources.files)
      for (const unsigned line : source.lines)
        names.merge(unit.new_facts.functions_at(source.path, source.name, line));
  return names;
}

// Whether one of the unit's functions is in the file.
bool has_unit(const OldFile &file, const UnitVersions &unit) {
  return std::ranges::any_of(unit.own.functions, [&](const auto &function) {
    return !file.named(function.first).empty();
  });
}

// A file may be compiled several times, for a program and for a library. Those are left whose code
// the file has. Fails if none of a source has it.
Result<> match_units(const OldFile &file, std::vector<UnitVersions> *units) {
  std::map<std::string, std::vector<std::string>> different; // by source
  std::set<std::string> matched;
  std::vector<UnitVersions> kept;
  for (UnitVersions &unit : *units) {
    if (!has_unit(file, unit))
      continue;
    const auto names = match_unit(file, &unit);
    if (names.empty() && matched.insert(unit.unit.file).second)
      kept.push_back(std::move(unit));
    else if (!names.empty())
      different[unit.unit.file] = names;
  }
  for (const auto &[source, names] : different)
    if (!matched.contains(source))
      return error_at(file.path(),
                      fmt::format("has other code of {} than {} gives: it was made from another "
                                  "version of the tree, with other flags, or by another compiler",
                                  fmt::join(names, ", "), source));
  *units = std::move(kept);
  return {};
}

} // namespace

Result<int> build_patch(const BuildRequest &request) {
  auto work = WorkFolder::make();
  NOPHOOK_TRY(work);
  auto sources = patch_copies(request.diff, request.directory, request.strip, work->path());
  NOPHOOK_TRY(sources);
  std::string commands = request.compile_commands;
  if (commands.empty()) {
    auto found = find_compile_commands(request.directory);
    NOPHOOK_TRY(found);
    commands = *found;
  }
  auto units = read_compile_commands(commands);
  NOPHOOK_TRY(units);
  std::vector<std::string> skipped;
  auto affected = find_affected(*units, *sources, &skipped);
  NOPHOOK_TRY(affected);
  auto versions = compile_versions(*affected, *sources, work->path());
  NOPHOOK_TRY(versions);
  std::erase_if(*versions, [](const UnitVersions &unit) { return unit.difference.is_empty(); });
  if (versions->empty())
    return error_at(request.diff, "changes no code: both versions are compiled to the same");

  auto path =
      request.file.empty()
          ? find_old_file(fs::absolute(commands).lexically_normal().parent_path(), &*versions)
          : Result<std::string>(request.file);
  NOPHOOK_TRY(path);
  auto file = OldFile::open(*path);
  NOPHOOK_TRY(file);
  NOPHOOK_TRY(match_units(*file, &*versions));
  PatchPlan plan = make_plan(*file, *versions, changed_functions(*sources, *versions));
  if (!sources->remarks.empty())
    plan.notes.push_back("patch: " + sources->remarks);
  for (const std::string &name : skipped)
    plan.notes.push_back(
        name +
        ": no unit of the build compiles or includes it: the patch has nothing of its changes");
  if (file->build_id().empty())
    plan.notes.push_back(file->path() + " has no build ID (-Wl,--build-id), so the patch cannot "
                                        "check that it gets into the right one");
  const bool changes_functions =
      std::ranges::any_of(plan.units, [](const UnitPlan &unit) { return !unit.functions.empty(); });
  if (plan.refused.empty() && !changes_functions)
    return error_at(request.diff, "changes no function that " + file->path() + " has");
  if (plan.refused.empty()) {
    auto objects = extract_objects(plan, *sources, work->path());
    NOPHOOK_TRY(objects);
    NOPHOOK_TRY(link_patch(plan, *file, *objects, work->path(), request.output));
  }
  return report_build(request, plan, *file);
}

} // namespace nophook
