// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One row for each format, in the order of the help.

#include "show/formats/table.h"

#include <fmt/format.h>

namespace nophook {

#define DECLARE(id, ...) std::unique_ptr<EventFormat> make_##id(const FormatContext &context);
NOPHOOK_FORMATS(DECLARE)
#undef DECLARE

namespace {

#define ROW(id, name, kind, names, extension, help)                                                \
  {name, FormatKind::kind, NameStyle::names, extension, help, make_##id},
constexpr FormatRow kFormats[] = {NOPHOOK_FORMATS(ROW)};
#undef ROW

} // namespace

std::span<const FormatRow> formats() {
  return kFormats;
}

Result<const FormatRow *> find_format(const std::string &name) {
  for (const FormatRow &row : kFormats)
    if (name == row.name)
      return &row;
  return Error{"export", "--format",
               fmt::format("unknown format '{}'; formats are {}", name, format_names(", ")),
               kExitUsage};
}

std::string format_names(const char *between) {
  std::string list;
  for (const FormatRow &row : kFormats)
    list += (list.empty() ? "" : between) + std::string(row.name);
  return list;
}

std::string format_help() {
  std::string lines;
  for (const FormatRow &row : kFormats)
    lines += fmt::format("  {:<12} .{:<8} {}\n", row.name, row.extension, row.help);
  return lines;
}

} // namespace nophook
