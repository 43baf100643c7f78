// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tracers of nophook/tracers.h as a table.

#pragma once

#include <nophook/tracers.h>

#include <string_view>

namespace nophook {

struct TracerRow {
  const char *name;
  uint32_t kind;
  uint32_t form; // NOPHOOK_FORM_
  const char *help;
};
#define NOPHOOK_ROW(name, kind, form, help) {#name, kind, form, help},
inline constexpr TracerRow kTracerRows[] = {NOPHOOK_TRACERS(NOPHOOK_ROW)};
#undef NOPHOOK_ROW

// The row of a tracer. Null: "nop", or a tracer that this version does not know.
constexpr const TracerRow *find_tracer(std::string_view name) {
  for (const TracerRow &row : kTracerRows)
    if (row.name == name)
      return &row;
  return nullptr;
}
constexpr const TracerRow *find_tracer(uint32_t kind) {
  for (const TracerRow &row : kTracerRows)
    if (row.kind == kind)
      return &row;
  return nullptr;
}

// Whether it writes a table of counts instead of events.
inline bool is_profiler(std::string_view name) {
  const TracerRow *row = find_tracer(name);
  return row && nophook_form_is_profile(row->form);
}

} // namespace nophook
