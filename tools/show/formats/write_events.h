// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Recordings as a format: the loop over all events, and `nophook export --format`.

#pragma once

#include "read/select/step_filter.h"
#include "show/formats/table.h"

namespace nophook {

// Gives a format all events of a recording, or those that `filter` chooses if it is not null. If
// `output` is not null, closing it ends the loop. Returns the number of words of events that made
// no sense.
Result<Skipped> write_events(EventFormat &format, Recording &recording, StepFilter *filter,
                             const Output *output);

// Exports a recording. `path` is read by open_recording(). `output` is a file; empty: the format's
// own place. The times of `selection` have been read. Notes for the user go to stderr. Errors:
// there is nothing to export, or it cannot be written; and damage, after the rest has been
// exported.
Result<> export_recording(const std::string &path, const FormatRow &row, const std::string &output,
                          const NamesOption &names, bool uncompressed, const Selection &selection);

} // namespace nophook
