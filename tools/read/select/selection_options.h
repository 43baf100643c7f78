// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The options that select a part of a recording: one table for all verbs that read, and the way
// from its words to a filter of steps. Short options are those of uftrace that mean the same.

#pragma once

#include "foundation/options.h"
#include "read/recording/reader.h"
#include "read/select/step_filter.h"
#include "read/symbols/functions.h"

namespace nophook {

// Adds the rows to those of a verb, except those named in `without`, a list of long options.
void add_selection_options(VerbOptions *verb, Selection *selection, std::string_view without = "");

// The options as words again, for a verb that calls another one.
std::vector<std::string> selection_words(const Selection &selection);

// Makes the filter of a selection whose times have been read; none if everything is selected.
// `sums`: see StepFilter. Errors name `verb`: the recording does not have what is selected by.
Result<std::optional<StepFilter>> make_filter(const std::string &verb, Selection selection,
                                              Recording &recording, Functions &functions,
                                              bool sums);

} // namespace nophook
