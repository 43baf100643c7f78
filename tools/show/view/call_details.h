// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All that the recording has of one call.

#pragma once

#include "show/view/names.h"
#include "show/view/rows.h"

namespace nophook {

struct CallDetails {
  Slice call;
  std::vector<Slice> callers; // outermost first
  std::string how;            // it ended: end_name(); empty: how is not known
  std::vector<std::string> arguments;
  std::string result;
  uint64_t own = 0;            // time in no call of its own that was recorded
  std::optional<uint32_t> cpu; // where it began
};

// The details of the call at `depth` that runs at `time`; nothing: there is none.
std::optional<CallDetails> details_of(RecordingIndex &index, ViewNames &names,
                                      const Tracks::Place &place, uint32_t depth, uint64_t time);

} // namespace nophook
