// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The end of a recording: the names of its functions go into it (read/symbols/recorded_names.h).

#pragma once

#include "process/drain/drain_totals.h"
#include "read/recording/writer.h"

namespace nophook {

enum class KeepNames : uint8_t {
  kNo, // --no-symbols: only the identity of each file, where it has no build-id
  kYes,
};

// The payloads of NAMES chunks.
std::vector<std::vector<uint8_t>> names_of_functions(const DrainTotals &totals, KeepNames keep);

// Called after writer.finish(), once the program has its settings back: reading debug info may take
// a while.
void record_names(const DrainTotals &totals, KeepNames keep, RecordingWriter &writer);

} // namespace nophook
