// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All facts that the recording has about one call.

#pragma once

#include "show/view/names.h"
#include "show/view/rows.h"

namespace nophook {

struct CallDetails {
  Slice call;
  std::vector<Slice> callers; // outermost first
  std::string how;            // the way it ended: end_name(); empty: unknown
  std::vector<std::string> arguments;
  std::string result;
  uint64_t own = 0;            // time outside of its recorded callees
  std::optional<uint32_t> cpu; // CPU on which it began
};

// The details of the call at `depth` that runs at `time`; nothing: there is no such call.
std::optional<CallDetails> details_of(RecordingIndex &index, ViewNames &names,
                                      const Tracks::Place &place, uint32_t depth, uint64_t time);

} // namespace nophook
