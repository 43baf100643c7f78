// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Settings by the names that the kernel's files have: for the environment, and for whatever else
// offers these files.

#pragma once

#include "base/bytes.h"
#include "base/status.h"

#include <stdint.h>

namespace nophook {

// A number of decimal digits. Errors: EINVAL.
Status read_decimal(const char *text, uint64_t bytes, uint64_t *number);

// Gives the setting `name` the value `text`, as if its file had been written anew. Globs may be
// separated by commas, too. Rules that callbacks read (tracers/rules.h) hold at once if there was
// one already when the tracer started, else with the next tracer. Under the runtime's lock. Errors:
// ENOENT (no such setting here), EINVAL, ENOMEM, ENOSPC.
Status change_setting(const char *name, uint64_t name_bytes, const char *text, uint64_t bytes);

// What the setting is now, as its file shows it, with a line's end. Those that are lists of
// functions or of options have files of their own (tracefs/). Under the runtime's lock. Errors:
// ENOENT.
using SettingText = Text<4096>;
Status read_setting(const char *name, uint64_t name_bytes, SettingText *text);

} // namespace nophook
