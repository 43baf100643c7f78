// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts the words that were written since the last call, sub-buffer by sub-buffer.

#include "process/drain/undrained_events.h"

#include "process/drain/cleared_prefix.h"
#include "process/drain/words.h"

#include <algorithm>

namespace nophook {

uint64_t UndrainedEvents::count(const SharedBuffer &buffer) {
  uint64_t events = 0;
  counted_.resize(buffer.subbuf_count());
  for (uint32_t i = 0; i < counted_.size(); i++) {
    if (buffer.state(i) == NOPHOOK_SUBBUF_FREE)
      continue;
    nophook_subbuf header = *buffer.subbuf(i);
    if (!nophook_is_seq(header.seq) || header.ring >= buffer.ring_count())
      continue; // it is being emptied
    Counted &counted = counted_[i];
    std::span<const uint64_t> words = buffer.words(i);
    if (counted.seq != header.seq || counted.ring != header.ring)
      counted = {header.seq, header.ring, 0, 0};
    if (!counted.words)
      counted.words = (uint32_t)words_before(&header, words, buffer.cleared());
    words = words.subspan(std::min<size_t>(counted.words, words.size()));
    words = words.first(written_words(words));
    counted.events += count_words(words).events;
    counted.words += (uint32_t)words.size();
    events += counted.events;
  }
  return events;
}

} // namespace nophook
