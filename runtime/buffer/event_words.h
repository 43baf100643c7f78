// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The words of an event, as include/nophook/buffer.h has them, and the order in which they are
// stored: the payload comes first, so that an event is complete when its first word can be seen.

#pragma once

#include "arch/clock.h"
#include "arch/fast_path.h"
#include "arch/own_thread.h"
#include "base/bytes.h"
#include "buffer/own_rings.h"
#include "buffer/trace_buffer.h"

namespace nophook {

inline uint64_t word(uint32_t kind, uint32_t id, uint64_t low) {
  return (uint64_t)kind << NOPHOOK_KIND_SHIFT | (uint64_t)id << NOPHOOK_ID_SHIFT | low;
}

constexpr uint64_t kSpSpan = uint64_t{1} << (NOPHOOK_SP_BITS + NOPHOOK_SP_UNIT_SHIFT);
constexpr uint64_t kDtSpan = uint64_t{1} << NOPHOOK_DT_BITS;

// The CPU's number that the kernel keeps in the thread's rseq area.
inline uint32_t rseq_cpu() {
  return *reinterpret_cast<volatile uint32_t *>(thread_pointer() + nophook_cpu_offset);
}

// Whether the word that the writer watches has changed: what an event must say first takes the slow
// path.
inline bool has_watched_change(const Writer *w) {
  return *reinterpret_cast<volatile uint32_t *>(thread_pointer() + w->watch) != w->watched;
}

inline uint64_t with_sp(const Writer *w, uint64_t signature, uint64_t frame) {
  uint64_t sp = (w->sp_base - frame) >> NOPHOOK_SP_UNIT_SHIFT;
  return signature >> NOPHOOK_ID_SHIFT << NOPHOOK_ID_SHIFT | sp << NOPHOOK_SP_SHIFT;
}

inline bool in_window(const Writer *w, uint64_t frame) {
  return w->sp_base - frame < kSpSpan;
}

// Whether the fast path could compute the distance of `now` from the time base (STAMP in
// trampolines.S).
inline bool in_time(const Writer *w, uint64_t now) {
  return now >> 32 == w->time_base >> 32 && now - w->time_base < kDtSpan;
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

// The next bytes of an event's values as a payload holds them. Eight bytes are loaded at once if
// there are that many in front or behind: a load that ends with the values has the rest of them on
// top.
inline uint64_t values_at(const uint8_t *values, uint32_t at, uint32_t bytes) {
  if (at + 8 <= bytes)
    return load_word(values + at) & (~uint64_t{0} >> 8);
  const uint32_t rest = bytes - at; // at most seven
  if (bytes >= 8)
    return load_word(values + bytes - 8) >> 8 * (8 - rest);
  uint64_t value = 0;
  for (uint32_t k = 0; k < rest; k++)
    value |= (uint64_t)values[at + k] << 8 * k;
  return value;
}

// Stores all payloads, then the word.
inline void put_at(uint64_t slot, uint64_t first, const NewEvent &event) {
  auto *words = reinterpret_cast<uint64_t *>(slot);
  uint64_t at = 1;
  if (event.kind == NOPHOOK_EVENT_FUNCTION)
    words[at++] = ~event.parent;
  for (uint32_t i = 0; i < event.value_bytes; i += NOPHOOK_VALUES_PER_WORD)
    words[at++] = ~values_at(event.values, i, event.value_bytes);
  __atomic_store_n(&words[0], first, __ATOMIC_RELEASE);
}

// Writes one event without values, in a callback. The clock of `buffer` is the time-stamp counter.
//
// The assembly's steps for a buffer that is found by number, with the kind known to the compiler.
// write_event() does the same for any event in 5 ns more. `frame` counts for an event that has one.
// `values`: `value_words` words as a payload has them. Stores the event's signature. False: this
// way is not open, and nothing has been written.
__attribute__((always_inline)) inline bool
try_plain_event(Buffer &buffer, uint32_t kind, uint64_t signature, uint64_t frame, uint64_t parent,
                uint64_t *told, const uint64_t *values = nullptr, uint32_t value_words = 0) {
  const bool has_frame = kind != NOPHOOK_EVENT_FUNCTION && kind != NOPHOOK_EVENT_EXIT;
  const uint64_t first_value = kind == NOPHOOK_EVENT_FUNCTION ? 2 : 1;
  const uint64_t bytes = 8 * (first_value + value_words);
  Writer *w = buffer.number ? own_ring_writer(buffer) : nophook_writer;
  if (__builtin_expect(!w, 0))
    return false;
  const uint64_t pos = __atomic_load_n(&w->pos, __ATOMIC_RELAXED);
  __atomic_signal_fence(__ATOMIC_SEQ_CST); // keeps the clock and the bases behind the position
  if (__builtin_expect(has_watched_change(w) ||
                           pos + bytes > __atomic_load_n(&w->limit, __ATOMIC_RELAXED) ||
                           (has_frame && !in_window(w, frame)),
                       0))
    return false;
  const uint64_t now = read_tsc();
  *told = has_frame ? with_sp(w, signature, frame) : signature;
  const uint64_t first = word(kind, 0, *told) | (now - w->time_base);
  const bool fits = in_time(w, now);
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  if (__builtin_expect(!fits || !exchange_own(&w->pos, pos, pos + bytes), 0))
    return false;
  auto *words = reinterpret_cast<uint64_t *>(pos);
  if (kind == NOPHOOK_EVENT_FUNCTION)
    words[1] = ~parent;
#pragma clang loop unroll(disable) // there are few
  for (uint32_t i = 0; i < value_words; i++)
    words[first_value + i] = values[i];
  __atomic_store_n(&words[0], first, __ATOMIC_RELEASE);
  return true;
}

// Writes such an event, by another way if this one is not open.
__attribute__((always_inline)) inline void write_plain_event(Buffer &buffer, uint32_t kind,
                                                             uint64_t signature, uint64_t parent) {
  uint64_t told;
  if (!try_plain_event(buffer, kind, signature, 0, parent, &told))
    write_slow_event(buffer, kind, signature, 0, parent);
}

} // namespace nophook
