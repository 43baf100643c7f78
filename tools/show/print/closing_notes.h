// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Notes of a verb that has read a recording, about things that its output does not show.

#pragma once

#include "read/recording/reader.h"
#include "read/select/step_filter.h"
#include "read/symbols/functions.h"

namespace nophook {

// Writes notes about a whole recording to stderr: names that could not be found, skipped words and
// events. Damage of the file is the error that is returned.
Result<> print_closing_notes(const Recording &recording, const Functions &functions,
                             const Skipped &skipped);

// Texts about names and conditions that chose nothing, once everything has been read.
std::vector<std::string> unmatched_notes(Functions &functions, const StepFilter &filter);

// Writes names and conditions that chose nothing to stderr, once everything has been read. If
// nothing at all was chosen, that is the error which is returned: docs/reference/exit-status.md has
// the rule, which is the same for all verbs.
Result<> print_unmatched(const std::string &path, Functions &functions, const StepFilter &filter);

// A text such as "no call of 'prase' was recorded; the nearest: parse"
std::string no_call_text(Functions &functions, const std::string &typed);

} // namespace nophook
