// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a recording begins with, whoever makes it, and what people are told of it when it ends.

#pragma once

#include "drain/process_drain.h"
#include "recording/writer.h"

#include <nlohmann/json.hpp>

namespace nophook {

// The INFO chunk, of `about`, this machine and this instant, and the first clock.
void begin_recording(RecordingWriter &writer, nlohmann::ordered_json about);

// "12 events of 3 functions in 1 thread, 0 events lost, 0.1 MiB in nophook.data"
std::string totals_text(const DrainTotals &totals, const RecordingWriter &writer);

} // namespace nophook
