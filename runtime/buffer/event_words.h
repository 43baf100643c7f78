// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The words of an event, as include/nophook/buffer.h has them, and the order in which they are
// stored: the payload comes first, so that an event is complete when its first word can be seen.

#pragma once

#include "arch/fast_path.h"
#include "buffer/trace_buffer.h"

namespace nophook {

inline uint64_t word(uint32_t kind, uint32_t id, uint64_t low) {
  return (uint64_t)kind << NOPHOOK_KIND_SHIFT | (uint64_t)id << NOPHOOK_ID_SHIFT | low;
}

inline void put(Writer *w, uint64_t value) {
  __atomic_store_n(reinterpret_cast<uint64_t *>(w->pos), value, __ATOMIC_RELEASE);
  w->pos += 8;
}

// A two-word event: the payload first, so that the event is complete when it can be seen.
inline void put_with_payload(Writer *w, uint64_t first, uint64_t payload) {
  __atomic_store_n(reinterpret_cast<uint64_t *>(w->pos + 8), ~payload, __ATOMIC_RELEASE);
  __atomic_store_n(reinterpret_cast<uint64_t *>(w->pos), first, __ATOMIC_RELEASE);
  w->pos += 16;
}

inline uint64_t payload_words(const NewEvent &event) {
  return (event.kind == NOPHOOK_EVENT_FUNCTION) +
         (event.value_bytes + NOPHOOK_VALUES_PER_WORD - 1) / NOPHOOK_VALUES_PER_WORD;
}

// All payloads, then the word.
inline void put_at(uint64_t slot, uint64_t first, const NewEvent &event) {
  auto *words = reinterpret_cast<uint64_t *>(slot);
  uint64_t at = 1;
  if (event.kind == NOPHOOK_EVENT_FUNCTION)
    words[at++] = ~event.parent;
  for (uint32_t i = 0; i < event.value_bytes; i += NOPHOOK_VALUES_PER_WORD) {
    uint64_t value = 0;
    for (uint32_t k = 0; k < NOPHOOK_VALUES_PER_WORD && i + k < event.value_bytes; k++)
      value |= (uint64_t)event.values[i + k] << 8 * k;
    words[at++] = ~value;
  }
  __atomic_store_n(&words[0], first, __ATOMIC_RELEASE);
}

} // namespace nophook
