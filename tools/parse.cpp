// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What all verbs share of their command lines: CLI11's exceptions become our errors.

#include "verbs.h"

#include <fmt/format.h>

namespace nophook {

Result<bool> parse(CLI::App &app, const Arguments &arguments) {
  Arguments reversed(arguments.rbegin(), arguments.rend());
  try {
    app.parse(reversed);
    return true;
  } catch (const CLI::CallForHelp &) {
    fmt::print("{}", app.help());
    return false;
  } catch (const CLI::ParseError &error) {
    std::string problem = error.what();
    return Error{app.get_name().substr(8), "",
                 fmt::format("{} (see {} --help)", problem, app.get_name()), kExitUsage};
  }
}

} // namespace nophook
