// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the call and its callers among the slices at a time, and decodes the blocks of its ends.

#include "show/view/call_details.h"

#include "show/view/block_reader.h"
#include "show/view/step_slice.h"

namespace nophook {

namespace {

// Calls look() with the steps of the blocks that have events at `time`, until it returns true.
template <class Look>
void find_step(RecordingIndex &index, const IndexedStream &stream, uint64_t time, Look look) {
  BlockRange range = blocks_between(stream, time, time);
  BlockReader reader(index, stream, range.first, range.end);
  Step step;
  while (reader.next(&step))
    if (look(step))
      return;
}

} // namespace

std::optional<CallDetails> details_of(RecordingIndex &index, ViewNames &names,
                                      const Tracks::Place &place, uint32_t depth, uint64_t time) {
  CallDetails details;
  bool found = false;
  for (const Slice &call : calls_at(index, place, time))
    if (call.depth < depth)
      details.callers.push_back(call);
    else if (call.depth == depth)
      details.call = call, found = true;
  if (!found)
    return std::nullopt;
  StreamGuard guard(*place.stream);
  const IndexedStream &stream = *place.stream;
  const uint32_t process = index.recording().streams().at(stream.stream).process;
  const uint32_t stack = stream.tracks[place.track]->stack;
  const Slice &call = details.call;
  auto is_it = [&](const Step &step) { return step.stack == stack && step.depth == depth; };
  if (!(call.flags & Slice::kNoBegin))
    find_step(index, stream, call.start, [&](const Step &step) {
      if (!step.begins() || step.is_timed() || !is_it(step) ||
          index.time_of(step.tsc) != call.start)
        return false;
      details.arguments = names.arguments(process, step);
      details.cpu = step.cpu;
      return true;
    });
  if (call.flags & Slice::kOpenAtEnd) {
    details.how = end_name(Step::kStillOpen);
  } else if (!(call.flags & (Slice::kEndNotRead | Slice::kInstant))) {
    find_step(index, stream, call.end(), [&](const Step &step) {
      if (!step.ends() || !is_it(step))
        return false;
      auto slice = slice_of(index, step, call.function, call.start);
      if (!slice || slice->start != call.start || slice->end() != call.end())
        return false;
      details.how = end_name(step.end);
      details.result = names.result(process, step);
      uint64_t children = index.recording().clock().duration(step.children_ticks);
      details.own = call.duration - std::min(call.duration, children);
      return true;
    });
  }
  return details;
}

} // namespace nophook
