// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Settings by the names that the kernel's files have: for the environment, and for the control
// tree.

#pragma once

#include "base/bytes.h"
#include "base/status.h"
#include "tracers/trace_array.h"

#include <stdint.h>

namespace nophook {

// Reads a number of decimal digits. Errors: EINVAL.
Status read_decimal(const char *text, uint64_t bytes, uint64_t *number);

using SettingText = Text<4096>;

// The arrays that have a setting: every array, or the top level alone.
enum class SettingScope : uint8_t { kEvery, kTop };
// A setting's file in the tree: none; one that is the value and no more, which
// tracefs/setting_files.cpp makes of the row; or one with more contents, which another file of
// tracefs/ makes.
enum class SettingFile : uint8_t { kNone, kPlain, kOwn };

// A row of the table in tracers/named_settings.cpp. All under the runtime's lock.
struct Setting {
  const char *name;
  const char *line; // line of the tree's README
  SettingScope scope;
  SettingFile file;
  // Sets the value `text`, as a write by > to its file does; globs may be separated by commas, too.
  // Errors: EINVAL, ENOMEM, ENOSPC.
  Status (*apply)(trace_array &tr, const char *text, uint64_t bytes);
  // Shows its present value, without the line's end. Null: a file of more than a value shows it, or
  // none.
  void (*show)(trace_array &tr, SettingText &text);
  // The action of a write to its file, if that adds to the contents. Null: apply().
  Status (*add)(trace_array &tr, const char *text, uint64_t bytes) = nullptr;
};
struct Settings {
  const Setting *first, *behind;
  const Setting *begin() const { return first; }
  const Setting *end() const { return behind; }
};
Settings settings();

// Calls apply() of the setting `name`. Rules that callbacks read (selection/rules.h) hold at once
// if there was one already when the tracer started, else with the next tracer, or with
// follow_settings(). Under the runtime's lock. Errors: ENOENT (no such setting here), and those of
// apply().
Status change_setting(trace_array &tr, const char *name, uint64_t name_bytes, const char *text,
                      uint64_t bytes);

} // namespace nophook
