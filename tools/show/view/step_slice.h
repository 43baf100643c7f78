// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The call that a step of the timeline completes, as a slice.

#pragma once

#include "read/steps/timeline.h"
#include "show/view/index.h"

#include <optional>

namespace nophook {

// The slice of a step; nothing: the step completes no call. `time` is the step's own time.
// `earliest` is the time since when the thread was recorded without a gap, for calls whose start is
// not in the recording.
inline std::optional<Slice> slice_of(const RecordingIndex &index, const Step &step, uint64_t time,
                                     uint32_t function, uint64_t earliest) {
  Slice slice;
  slice.function = function;
  slice.depth = (uint16_t)std::min<uint32_t>(step.depth, UINT16_MAX);
  if (step.has_duration()) {
    slice.start = step.is_leaf() ? time : index.time_of(step.from());
    slice.duration = (step.is_leaf() ? index.time_of(step.to()) : time) - slice.start;
  } else if (step.kind == Step::kExitOnly) {
    slice.start = std::min(earliest, time);
    slice.duration = time - slice.start;
    slice.flags |= Slice::kNoBegin;
  } else if (step.shape == Step::kInstant && step.is_of_call()) {
    slice.start = time;
    slice.flags |= Slice::kInstant;
    return slice;
  } else {
    return std::nullopt;
  }
  if (step.end == Step::kStillOpen)
    slice.flags |= Slice::kOpenAtEnd;
  else if (step.end != Step::kReturned && step.end != Step::kTail)
    slice.flags |= Slice::kLeft;
  return slice;
}

inline std::optional<Slice> slice_of(const RecordingIndex &index, const Step &step,
                                     uint32_t function, uint64_t earliest) {
  return slice_of(index, step, index.time_of(step.tsc), function, earliest);
}

} // namespace nophook
