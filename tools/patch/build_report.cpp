// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "patch/build_report.h"

#include "foundation/json.h"
#include "foundation/output.h"
#include "read/symbols/readable_name.h"

#include <algorithm>
#include <filesystem>

namespace nophook {

namespace {

std::string shown(const std::string &name) {
  return printable(readable_name(name));
}

std::string why(const PlannedFunction &function) {
  std::string text = function.is_changed_itself ? "the diff changes it" : "";
  for (const std::string &name : function.because)
    text += (text.empty()                         ? "inlines "
             : &name == &function.because.front() ? ", and it inlines "
                                                  : ", ") +
            shown(name);
  return text.empty() ? "its code differs, by what it inlines or uses" : text;
}

// Whether the patch has functions of a chosen file. It may have none.
bool has_functions_of(const PatchPlan &plan, const OldFile &file) {
  return std::ranges::any_of(plan.units, [&](const UnitPlan &unit) {
    return unit.file == &file && !unit.functions.empty();
  });
}

Json name_of(const OldFile &file) {
  return file.is_program() ? Json() : Json(printable(file.object_name()));
}

// The reason why a thread stays in a version. Null: the compiler sees none.
Json json_of(const PlannedFunction &function, const FunctionStay &stay) {
  if (stay.kind == FunctionStay::Kind::kNone)
    return function.is_main ? Json("main") : Json();
  return name_of(stay.kind);
}

Json json_of(const BuildRequest &request, const PatchPlan &plan,
             const std::vector<OldFile> &files) {
  Json objects = Json::list(), functions = Json::list(), added = Json::list(),
       refused = Json::list(), notes = Json::list();
  for (const OldFile &file : files)
    if (!plan.refused.empty() || has_functions_of(plan, file))
      objects.push(Json{{"name", name_of(file)},
                        {"file", printable(file.path())},
                        {"build_id", file.build_id()}});
  for (const UnitPlan &unit : plan.units) {
    for (const PlannedFunction &function : unit.functions) {
      Json inlines = Json::list();
      for (const std::string &name : function.because)
        inlines.push(printable(name));
      functions.push(Json{{"name", printable(function.name)},
                          {"sympos", function.position},
                          {"object", name_of(*unit.file)},
                          {"unit", printable(unit.versions->unit.file)},
                          {"in_diff", function.is_changed_itself},
                          {"inlines", inlines},
                          {"old_stay", json_of(function, function.old_stay)},
                          {"new_stay", json_of(function, function.new_stay)}});
    }
    for (const std::string &name : unit.added)
      added.push(printable(name));
  }
  for (const auto &[unit, name, reason] : plan.refused)
    refused.push(
        Json{{"unit", printable(unit)}, {"name", printable(name)}, {"reason", printable(reason)}});
  for (const std::string &note : plan.notes)
    notes.push(printable(note));
  return {{"patch", plan.refused.empty() ? Json(printable(request.output)) : Json()},
          {"objects", objects},
          {"functions", functions},
          {"added", added},
          {"refused", refused},
          {"notes", notes}};
}

void print_text(Output &output, const BuildRequest &request, const PatchPlan &plan,
                const std::vector<OldFile> &files) {
  if (!plan.refused.empty()) {
    for (const auto &[unit, name, reason] : plan.refused)
      output.line("{:<9} {} ({}): {}", "refused", shown(name), printable(unit), printable(reason));
    return;
  }
  for (const UnitPlan &unit : plan.units) {
    for (const PlannedFunction &function : unit.functions)
      output.line("{:<9} {} ({}): {}", "changed", shown(function.name),
                  printable(unit.versions->name), why(function));
    for (const std::string &name : unit.added)
      output.line("{:<9} {} ({})", "new", shown(name), printable(unit.versions->name));
  }
  for (const std::string &note : plan.notes)
    output.line("{:<9} {}", "note", printable(note));
  for (const OldFile &file : files) {
    size_t count = 0;
    for (const UnitPlan &unit : plan.units)
      count += unit.file == &file ? unit.functions.size() : 0;
    if (count)
      output.line("{}: {} {} of {} (build ID {})", printable(request.output), count,
                  count == 1 ? "function" : "functions", printable(file.path()),
                  file.build_id().empty() ? "none" : file.build_id());
  }
}

} // namespace

Result<int> report_build(const BuildRequest &request, const PatchPlan &plan,
                         const std::vector<OldFile> &files) {
  Output output;
  if (request.json)
    output.line("{}", json_of(request, plan, files).text());
  else
    print_text(output, request, plan, files);
  NOPHOOK_TRY(output.flush());
  return plan.refused.empty() ? kExitOk : kExitFailure;
}

} // namespace nophook
