// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Restores a decoder's state from the index, and decodes from there.

#include "show/view/block_reader.h"

#include "read/steps/stack_borders.h"

#include <algorithm>

namespace nophook {

BlockReader::BlockReader(RecordingIndex &index, const IndexedStream &stream, size_t first,
                         size_t end)
    : index_(index), recorded_(index.recording().streams().at(stream.stream)) {
  end = std::min(end, stream.blocks.size());
  first = std::min(first, end);
  std::vector<uint8_t> state;
  auto has_state = [&] {
    return stream.blocks[first].state_bytes && index.read(stream.blocks[first], &state, nullptr);
  };
  while (first && first < end && !has_state())
    first--;
  for (size_t i = first; i < end; i++)
    subbufs_.push_back(stream.blocks[i].subbuf);
  if (first < end && (first || has_state()))
    state_ = decode_state(state);
  auto source = [this](Timeline::Words *words) { return next_subbuf(words); };
  if (state_)
    timeline_.emplace(source, *state_);
  else
    timeline_.emplace(source);
  timeline_->find_borders_by(
      [this, number = stream.stream] { return stack_borders(index_.recording(), number); });
}

bool BlockReader::next_subbuf(Timeline::Words *words) {
  while (next_ < subbufs_.size()) {
    uint32_t number = subbufs_[next_++];
    SubbufView view;
    if (number >= recorded_.subbufs.size() ||
        !index_.recording().load(recorded_.subbufs[number], &view, &damages_))
      continue;
    words->header = view.header;
    words->words = view.words;
    words->memory = std::move(view.memory);
    return true;
  }
  return false;
}

BlockRange blocks_between(const IndexedStream &stream, uint64_t from, uint64_t to) {
  const auto &blocks = stream.blocks;
  auto first =
      std::lower_bound(blocks.begin(), blocks.end(), from,
                       [](const IndexedBlock &block, uint64_t time) { return block.last < time; });
  auto end =
      std::upper_bound(first, blocks.end(), to,
                       [](uint64_t time, const IndexedBlock &block) { return time < block.first; });
  return {(size_t)(first - blocks.begin()), (size_t)(end - blocks.begin())};
}

} // namespace nophook
