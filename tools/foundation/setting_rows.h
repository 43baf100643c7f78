// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The settings of nophook/settings.h as a table.

#pragma once

#include <nophook/settings.h>

namespace nophook {

struct SettingRow {
  const char *name;
  const char *at_first; // first value, or null
  const char *line;     // line of help
};
#define NOPHOOK_ROW(name, at_first, line) {#name, at_first, line},
inline constexpr SettingRow kSettingRows[] = {NOPHOOK_SETTINGS(NOPHOOK_ROW)};
#undef NOPHOOK_ROW

} // namespace nophook
