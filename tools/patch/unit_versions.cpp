// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "patch/unit_versions.h"

#include "foundation/processor.h"
#include "machine/machine.h"
#include "patch/program_run.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <sstream>

namespace nophook {

namespace fs = std::filesystem;

namespace {

const std::string kFacts = "-fplugin-arg-nophook-facts=";

using Words = std::vector<std::string>;

Words joined(Words a, const Words &b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

Words overlay_flags(const PatchedSources &sources) {
  return {"-ivfsoverlay", sources.overlay};
}

// The errors in a compiler's output, on one line; without any, the first line.
std::string errors_in(const std::string &output) {
  std::string errors;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);)
    if (line.find("error: ") != std::string::npos)
      errors += (errors.empty() ? "" : "; ") + line;
  return errors.empty() ? output.substr(0, output.find('\n')) : errors;
}

Error compiler_error(const Unit &unit, const char *version, const ProgramRun &run) {
  if (run.status == 127 && run.output.empty())
    return error_at(unit.file, "its compiler cannot be started: " + run.command.front());
  return error_at(unit.file,
                  fmt::format("{} cannot be compiled: {}", version, errors_in(run.output)));
}

std::string short_name(const Unit &unit) {
  return fs::path(unit.file).filename();
}

bool has_patches(const Machine &machine) {
  return machine.linked_field;
}

Result<> read_versions(const std::string &base, UnitVersions *unit) {
  auto own = read_object_symbols(base + ".own.o");
  NOPHOOK_TRY(own);
  if (const Machine *machine = find_machine(own->processor); !machine || !machine->linked_field)
    return error_at(unit->unit.file,
                    fmt::format("is compiled for {}: patches are built for {} only",
                                processor_name(own->processor),
                                machine_names(" and ", has_patches)));
  auto before = read_object_items(base + ".old.o"), after = read_object_items(base + ".new.o");
  NOPHOOK_TRY(before);
  NOPHOOK_TRY(after);
  unit->difference = compare_objects(*before, *after);
  auto symbols = read_object_symbols(base + ".new.o");
  NOPHOOK_TRY(symbols);
  auto old_facts = read_debug_facts(base + ".old.o"), new_facts = read_debug_facts(base + ".new.o");
  NOPHOOK_TRY(old_facts);
  NOPHOOK_TRY(new_facts);
  unit->old_compiler = read_compiler_facts(base + ".old.facts");
  unit->new_compiler = read_compiler_facts(base + ".new.facts");
  unit->own = std::move(*own);
  unit->before = std::move(*before);
  unit->after = std::move(*after);
  unit->after_symbols = std::move(*symbols);
  unit->old_facts = std::move(*old_facts);
  unit->new_facts = std::move(*new_facts);
  return {};
}

} // namespace

Result<std::vector<UnitVersions>> compile_versions(const std::vector<Unit> &units,
                                                   const PatchedSources &sources,
                                                   const std::string &work) {
  const Words apart = {"-ffunction-sections", "-fdata-sections", "-g", "-gno-split-dwarf"};
  std::vector<ProgramRun> runs;
  for (size_t i = 0; i < units.size(); i++) {
    if (const std::string reason = refusal_of(units[i]); !reason.empty())
      return error_at(units[i].file, reason);
    const std::string base = fmt::format("{}/{}", work, i);
    const auto add = [&](const Words &flags, const char *ending) {
      runs.push_back({compile_command(units[i], flags, base + ending), units[i].directory, "", 0});
    };
    add({}, ".own.o");
    add(joined(apart, {kFacts + base + ".old.facts"}), ".old.o");
    add(joined(joined(apart, overlay_flags(sources)), {kFacts + base + ".new.facts"}), ".new.o");
  }
  run_programs(&runs, "compiling both versions:");
  std::vector<UnitVersions> versions;
  for (size_t i = 0; i < units.size(); i++) {
    for (size_t k = 0; k < 3; k++)
      if (!runs[3 * i + k].ok())
        return compiler_error(units[i], k == 2 ? "the new version" : "the old version",
                              runs[3 * i + k]);
    UnitVersions unit;
    unit.unit = units[i];
    unit.name = short_name(units[i]);
    if (auto read = read_versions(fmt::format("{}/{}", work, i), &unit); !read) {
      read.error().file = units[i].file;
      return read.error();
    }
    versions.push_back(std::move(unit));
  }
  return versions;
}

Result<std::vector<std::string>>
extract_objects(const PatchPlan &plan, const PatchedSources &sources, const std::string &work) {
  std::vector<ProgramRun> runs;
  std::vector<std::string> objects;
  for (const UnitPlan &unit : plan.units) {
    const std::string base = fmt::format("{}/extracted{}", work, objects.size());
    NOPHOOK_TRY(write_text(base + ".list", unit.list));
    Words flags =
        joined(overlay_flags(sources), {"-fplugin-arg-nophook-extract=" + base + ".list"});
    if (!is_pic(unit.versions->unit))
      flags.emplace_back("-fPIE");
    objects.push_back(base + ".o");
    runs.push_back({compile_command(unit.versions->unit, flags, objects.back()),
                    unit.versions->unit.directory, "", 0});
  }
  run_programs(&runs, "compiling the patch:");
  for (size_t i = 0; i < runs.size(); i++)
    if (!runs[i].ok())
      return compiler_error(plan.units[i].versions->unit, "the patch's part", runs[i]);
  return objects;
}

} // namespace nophook
