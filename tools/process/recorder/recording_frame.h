// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The first chunk of a recording, for all commands that make one, and the line at its end.

#pragma once

#include "foundation/json.h"
#include "process/drain/process_drain.h"
#include "read/recording/writer.h"

namespace nophook {

// Writes the INFO chunk, with `about`, this machine and this instant, and the first clock.
void begin_recording(RecordingWriter &writer, Json about);

// "12 events of 3 functions in 1 thread, 0 events lost, 0.1 MiB in nophook.data"
std::string totals_text(const DrainTotals &totals, const RecordingWriter &writer);

} // namespace nophook
