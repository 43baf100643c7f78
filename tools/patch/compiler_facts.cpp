// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "patch/compiler_facts.h"

#include "patch/program_run.h" // read_text
#include "read/symbols/readable_name.h"

#include <fmt/format.h>
#include <sstream>

namespace nophook {

using StayKind = FunctionStay::Kind;

CompilerFacts read_compiler_facts(const std::string &path) {
  CompilerFacts facts;
  const auto text = read_text(path);
  std::istringstream lines(text ? *text : std::string());
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string name, kind, rest;
    std::getline(words, name, '\t');
    std::getline(words, kind, '\t');
    std::getline(words, rest);
    if (kind == "convention")
      facts.conventions[name] = rest;
    if (kind == "hoists")
      facts.hoisting_callers[rest].push_back(name);
    for (const StayKind known : {StayKind::kEndless, StayKind::kWaits})
      if (kind == name_of(known))
        facts.stays[name] = {known, rest};
  }
  return facts;
}

std::string name_of(StayKind kind) {
  return kind == StayKind::kEndless ? "endless" : kind == StayKind::kWaits ? "waits" : "";
}

std::string text_of(const FunctionStay &stay) {
  const std::string callee = readable_name(stay.callee);
  if (stay.kind == StayKind::kWaits)
    return fmt::format("waits in a loop ({})", callee);
  return callee.empty() ? "has a loop from which no path leads to a return"
                        : fmt::format("calls {}, which never returns", callee);
}

} // namespace nophook
