// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cuts off the start of a sub-buffer, so that only events after some time are read.
// nophook/buffer.h has the rule; here the sub-buffer's header is changed so that it describes the
// rest.

#pragma once

#include <nophook/buffer.h>

#include <cstdint>
#include <span>

namespace nophook {

// The number of words in front of the first event that is not before `ticks`. `*header` becomes the
// header of the words behind them.
inline uint64_t words_before(nophook_subbuf *header, std::span<const uint64_t> words,
                             uint64_t ticks) {
  if (header->time_base >= ticks)
    return 0;
  nophook_bases bases = {header->time_base, header->sp_base, header->cpu};
  uint64_t count = nophook_words_before(words.data(), words.size(), ticks, &bases);
  header->time_base = bases.time;
  header->sp_base = bases.sp;
  header->cpu = bases.cpu;
  return count;
}

// The time of the last event, or else of the sub-buffer's start.
inline uint64_t last_time(const nophook_subbuf &header, std::span<const uint64_t> words) {
  uint64_t last = header.time_base;
  nophook_bases bases = {header.time_base, header.sp_base, header.cpu};
  for (uint64_t at = 0;; at++) {
    at += nophook_words_before(words.data() + at, words.size() - at, last + 1, &bases);
    if (at >= words.size())
      return last;
    last = bases.time + (words[at] & ((uint64_t{1} << NOPHOOK_DT_BITS) - 1));
  }
}

} // namespace nophook
