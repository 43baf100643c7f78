// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decodes a part of a stream again: some of its sub-buffers, one after the other.
//
// Decoding needs the calls that were open before. The index has them for most sub-buffers, so
// decoding may have to begin a little earlier than at the first sub-buffer that is wanted.

#pragma once

#include "show/view/index.h"

namespace nophook {

class BlockReader {
public:
  // Reads the sub-buffers of the stream's blocks [first, end).
  BlockReader(RecordingIndex &index, const IndexedStream &stream, size_t first, size_t end);

  // The state before the first step, with the open calls; null: it is unknown.
  const Timeline::State *state() const { return state_ ? &*state_ : nullptr; }
  bool next(Step *step) { return timeline_->next(step); }
  // After the last step: the next call that is open behind the last sub-buffer.
  bool next_open(Step *step) { return timeline_->next_open(step); }

private:
  bool next_subbuf(Timeline::Words *words);

  RecordingIndex &index_;
  const RecordedStream &recorded_;
  Recording::Damages damages_; // known since the index was made
  std::vector<uint32_t> subbufs_;
  size_t next_ = 0;
  std::optional<Timeline::State> state_;
  std::optional<Timeline> timeline_;
};

// The blocks of the stream that have events between two times: [first, end).
struct BlockRange {
  size_t first = 0;
  size_t end = 0;
  size_t count() const { return end - first; }
};
BlockRange blocks_between(const IndexedStream &stream, uint64_t from, uint64_t to);

} // namespace nophook
