// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares names and values with lists, and each filter with the names of the program.

#include "process/launch/check_request.h"

#include "foundation/setting_rows.h"
#include "process/launch/setting_values.h"
#include "read/symbols/absent_function.h"

#include <algorithm>
#include <fmt/format.h>

namespace nophook {

namespace {

std::string with_note(const std::string &note) {
  return note.empty() ? "" : "; " + printable(note);
}

Result<> check_list(const char *what, const std::vector<std::string> &list,
                    const TracedNames &names, const std::string &program) {
  for (const std::string &token : list) {
    FilterToken parts(token);
    if (parts.sign.empty() && parts.is_name() &&
        names.index.find(parts.name).how == Means::kNothing)
      return Error{"record", "",
                   fmt::format("{} '{}' matches no function of {} and its libraries{} (--force "
                               "starts it anyway: a library that it loads or a program that it "
                               "starts may have one)",
                               what, printable(parts.name), printable(program),
                               with_note(absence(names, parts.name))),
                   kExitUsage};
  }
  return {};
}

std::vector<std::string> split(const std::string &list) {
  std::vector<std::string> parts;
  for (size_t at = 0, end; at < list.size(); at = end + 1) {
    end = std::min(list.find(',', at), list.size());
    parts.push_back(list.substr(at, end - at));
  }
  return parts;
}

} // namespace

Result<> check_names(const TraceRequest &request) {
  std::vector<std::string> names;
  for (const SettingRow &row : kSettingRows)
    names.emplace_back(row.name);
  for (const std::string &setting : request.settings) {
    std::string name = setting.substr(0, setting.find('='));
    if (!name.starts_with("instances/") && std::ranges::find(names, name) == names.end())
      return Error{"record", "",
                   fmt::format("--set {}: there is no such setting{}", printable(name),
                               with_note(nearest_note(nearest_names(names, name)))),
                   kExitUsage};
  }
  return {};
}

Result<> check_values(const std::string &verb, const TraceRequest &request, ToWhom to) {
  for (const std::string &setting : request.settings) {
    std::string name = setting.substr(0, setting.find('='));
    std::string value = setting.substr(std::min(name.size() + 1, setting.size()));
    if (to == ToWhom::kRunningProcess && name == "trace_options")
      continue;
    if (std::string wrong = wrong_value(name, value); !wrong.empty())
      return Error{verb, "", fmt::format("--set {}: {}", printable(setting), wrong), kExitUsage};
  }
  return {};
}

Result<> check_filters(const TraceRequest &request, const TracedNames &names,
                       const std::string &program) {
  if (names.index.empty() || request.calls)
    return {}; // a stripped program, or filters for any library: the runtime reports what it finds
  NOPHOOK_TRY(check_list("--filter", request.filters, names, program));
  for (const char *name : {"set_graph_function", "set_latency_function"})
    for (const std::string &setting : request.settings)
      if (setting.starts_with(std::string(name) + "="))
        NOPHOOK_TRY(check_list(name, split(setting.substr(setting.find('=') + 1)), names, program));
  return {};
}

} // namespace nophook
