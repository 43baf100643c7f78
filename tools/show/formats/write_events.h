// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Recordings as a format: the loop over all events, and `nophook export --format`.

#pragma once

#include "read/select/step_filter.h"
#include "show/formats/table.h"

namespace nophook {

// Gives a format all events of a recording, or those that `filter` chooses if it is not null. An
// `output` that is not null ends it when it is closed. Returns how many words of events made no
// sense.
Result<Skipped> write_events(EventFormat &format, Recording &recording, StepFilter *filter,
                             const Output *output);

// `path`: as open_recording() takes it. `output`: a file, or empty for where the format goes by
// itself. `where`: conditions, as read/select/where.h reads them. What a reader has to know is said
// on stderr. Errors: there is nothing to export, or it cannot be written; and damage, after the
// rest has been exported.
Result<> export_recording(const std::string &path, const FormatRow &row, const std::string &output,
                          const NamesOption &names, bool uncompressed,
                          const std::vector<std::string> &where);

} // namespace nophook
