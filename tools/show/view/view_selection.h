// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The activity in a part of a recording: a table of its functions, its merged calls (a flame
// graph), and its slowest calls.
//
// Times are those between the two ends: a call that began earlier counts from the first end on. The
// number of calls and the percentiles are of the calls that end within the part.
//
// A part may be the whole of a billion events. So at most kMostBlocksForSelection sub-buffers are
// decoded, spread evenly over the part; `covered` says which share they are.

#pragma once

#include "read/analyse/duration_histogram.h"
#include "show/view/rows.h"

namespace nophook {

constexpr size_t kMostBlocksForSelection = 2048; // 16 million events

struct SelectionQuery {
  uint64_t from = 0, to = 0;
  std::vector<Tracks::Place> tracks;
  std::optional<uint32_t> function; // the slowest calls are calls of this one
};

struct SelectedFunction {
  uint64_t calls = 0;
  uint64_t total = 0; // ns on the stack, recursive calls once
  uint64_t own = 0;
  DurationHistogram durations;
};

struct SelectedNode {
  int32_t parent = -1; // index of the parent, which comes first
  uint32_t function = 0;
  uint64_t calls = 0;
  uint64_t total = 0;
  uint64_t own = 0;
};

struct SlowCall {
  Tracks::Place place;
  Slice slice;
};

struct SelectionAnswer {
  double covered = 1;
  std::map<uint32_t, SelectedFunction> functions;
  std::vector<SelectedNode> nodes;
  uint64_t nodes_left_out = 0; // their times are in their callers'
  std::vector<SlowCall> slowest;
};

SelectionAnswer select_calls(RecordingIndex &index, const SelectionQuery &query);

} // namespace nophook
