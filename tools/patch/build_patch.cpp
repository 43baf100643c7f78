// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "patch/build_patch.h"

#include "foundation/output.h"
#include "patch/affected_units.h"
#include "patch/build_report.h"
#include "patch/find_old_files.h"
#include "patch/patch_library.h"
#include "patch/program_run.h"
#include "patch/unit_versions.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

namespace nophook {

namespace fs = std::filesystem;

namespace {

// The names of the functions that the diff has lines of.
std::set<std::string> changed_functions(const PatchedSources &sources,
                                        const std::vector<UnitVersions> &units) {
  std::set<std::string> names;
  for (const UnitVersions &unit : units)
    for (const PatchedSource &source : sources.files)
      for (const unsigned line : source.lines)
        names.merge(unit.new_facts.functions_at(source.path, source.name, line));
  return names;
}

constexpr size_t kNamedSources = 5;

// Adds the notes for the user about a patch that can be built.
void add_notes(const PatchedSources &sources, const std::vector<std::string> &skipped,
               const UnitPlaces &places, const std::vector<OldFile> &files, PatchPlan *plan) {
  if (!sources.remarks.empty())
    plan->notes.push_back("patch: " + sources.remarks);
  for (const std::string &name : skipped)
    plan->notes.push_back(
        name +
        ": no unit of the build compiles or includes it: the patch has nothing of its changes");
  if (!places.elsewhere.empty()) {
    const size_t named = std::min(places.elsewhere.size(), kNamedSources);
    plan->notes.push_back(fmt::format(
        "{}{}: none of the files has this code: the patch has nothing of its changes",
        fmt::join(places.elsewhere.begin(), places.elsewhere.begin() + (ptrdiff_t)named, ", "),
        named < places.elsewhere.size()
            ? fmt::format(" and {} more sources", places.elsewhere.size() - named)
            : ""));
  }
  for (const OldFile &file : files)
    if (file.build_id().empty())
      plan->notes.push_back(file.path() + " has no build ID (-Wl,--build-id), so the patch cannot "
                                          "check that it gets into the right one");
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
  if (std::ranges::all_of(*versions,
                          [](const UnitVersions &unit) { return unit.difference.is_empty(); }))
    return error_at(request.diff, "changes no code: both versions are compiled to the same");

  auto files =
      request.files.empty()
          ? find_old_files(fs::absolute(commands).lexically_normal().parent_path(), *versions)
          : open_old_files(request.files);
  NOPHOOK_TRY(files);
  auto places = place_units(*files, *versions);
  NOPHOOK_TRY(places);
  PatchPlan plan = make_plan(places->units, *versions, changed_functions(*sources, *versions));
  add_notes(*sources, skipped, *places, *files, &plan);
  const bool changes_functions =
      std::ranges::any_of(plan.units, [](const UnitPlan &unit) { return !unit.functions.empty(); });
  if (plan.refused.empty() && !changes_functions)
    return error_at(request.diff, fmt::format("changes no function that {} has",
                                              fmt::join(paths_of(*files), ", ")));
  if (plan.refused.empty()) {
    auto objects = extract_objects(plan, *sources, work->path());
    NOPHOOK_TRY(objects);
    NOPHOOK_TRY(link_patch(plan, *files, *objects, work->path(), request.output));
  }
  return report_build(request, plan, *files);
}

} // namespace nophook
