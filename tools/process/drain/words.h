// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The recorder's check of a sub-buffer's words, at hundreds of megabytes a second: whether all are
// written, the number of their events, and the functions of these.

#pragma once

#include <nophook/buffer.h>

#include <cstdint>
#include <span>
#include <vector>

namespace nophook {

inline constexpr uint32_t kMaxSubbufUsed = NOPHOOK_SUBBUF_BYTES - NOPHOOK_SUBBUF_HEADER_BYTES;

struct WordCount {
  bool has_hole = false; // a word is 0
  uint32_t events = 0;   // of functions, and marks
};

// Has no branch, for the vector unit.
inline WordCount count_words(std::span<const uint64_t> words) {
  uint64_t holes = 0, events = 0;
  for (uint64_t word : words) {
    holes += word == 0;
    events += (uint64_t)nophook_is_counted(word);
  }
  return {holes != 0, (uint32_t)events};
}

// Number of words up to the last one that is not 0.
inline uint64_t written_words(std::span<const uint64_t> words) {
  uint64_t n = words.size();
  while (n && words[n - 1] == 0)
    n--;
  return n;
}

// Completes a copy that was made while the owner wrote. The words are copied one after the other,
// so the copy may have a late word, and a hole where an earlier word was written after that place
// was copied. All words that the owner wrote before a word of the copy can be read by now. `live`
// is the original, with an acquire fence between the two; words that stay 0 belong to writers that
// were interrupted.
inline void fill_holes(std::span<uint64_t> copy, const uint64_t *live) {
  for (uint64_t i = 0, end = written_words(copy); i < end; i++)
    if (copy[i] == 0) [[unlikely]]
      copy[i] = __atomic_load_n(&live[i], __ATOMIC_ACQUIRE);
}

// Marks by function id: seen, and seen as an ENTRY_ONLY event.
class SeenFunctions {
public:
  static constexpr uint8_t kSeen = 1, kEntryOnly = 2;

  void add(std::span<const uint64_t> words) {
    for (uint64_t word : words) {
      if (!nophook_is_function_event(word))
        continue;
      uint32_t id = word >> NOPHOOK_ID_SHIFT & ((1u << NOPHOOK_ID_BITS) - 1);
      if (id >= marks_.size()) [[unlikely]]
        marks_.resize(id + 4096);
      marks_[id] |= word >> NOPHOOK_KIND_SHIFT == NOPHOOK_EVENT_ENTRY_ONLY
                        ? uint8_t{kSeen | kEntryOnly}
                        : kSeen;
    }
  }
  void add(uint32_t id) {
    if (id >= marks_.size())
      marks_.resize((size_t)id + 4096);
    marks_[id] |= kSeen;
  }
  uint8_t of(uint32_t id) const { return id < marks_.size() ? marks_[id] : 0; }

private:
  std::vector<uint8_t> marks_;
};

} // namespace nophook
