// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decodes the words of a sub-buffer into events with absolute times, frames and CPUs.
//
// A pure state machine over bytes that may be anything: it never fails and never reads
// outside of what it was given. A word of 0 is a hole, whose writer was interrupted and never
// came back; a payload behind it belongs to it. Both are passed over. Words that make no sense are
// skipped and counted: a payload without an event, an event without its payload. Events of kinds
// that a later version writes are passed over, and counted apart.

#pragma once

#include <nophook/buffer.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace nophook {

// Kinds that only the decoder makes. Events were lost at this place.
constexpr uint8_t kEventLost = NOPHOOK_EVENT_CONTROL;
// An instant: a mark (nophook/buffer.h), or a later row of event_kinds.h, whose number is `id`.
constexpr uint8_t kEventMark = NOPHOOK_EVENT_PAYLOAD;
constexpr uint8_t kEventOther = NOPHOOK_EVENT_PAYLOAD + 1;
// All open calls are over; `sp` has the reason.
constexpr uint8_t kEventEnd = NOPHOOK_EVENT_PAYLOAD + 2;
constexpr uint8_t kEventOff = NOPHOOK_EVENT_PAYLOAD + 3; // an OFF_CPU of event_kinds.h
// The kinds from kEventOpen on are about the stacks only.
constexpr uint8_t kEventOpen = NOPHOOK_EVENT_PAYLOAD + 4;  // read_open_frames()
constexpr uint8_t kEventFiber = NOPHOOK_EVENT_PAYLOAD + 5; // read_fiber()

struct Event {
  uint64_t tsc = 0;    // not before the previous event
  uint64_t frame = 0;  // address; in graph events other than EXIT
  uint64_t parent = 0; // return address of FUNCTION; number of lost events
  uint32_t id = 0;     // number of the function
  uint32_t cpu = 0;
  uint16_t sp = 0;                   // the word's field: id and sp join an EXIT to its ENTRY
  uint8_t kind = NOPHOOK_EVENT_NONE; // ENTRY ... FUNCTION, or one of the decoder's own
  std::span<const uint64_t> values;  // payload words with values: read/steps/call_values.h
  const uint64_t *end = nullptr;     // the word behind the event; null for kEventLost
};

// Words and events of a stream that no reader shows.
struct Skipped {
  uint64_t damaged = 0; // number of words that made no sense
  uint64_t newer = 0;   // number of events of kinds that are not in event_kinds.h

  Skipped &operator+=(const Skipped &other) {
    damaged += other.damaged;
    newer += other.newer;
    return *this;
  }
};

// Reads an EXIT without an ENTRY that has its call's duration itself (NOPHOOK_VALUES_TOOK). False:
// it has none.
bool read_took_of(std::span<const uint64_t> values, uint64_t *ticks, uint64_t *depth);
inline bool read_took(std::span<const uint64_t> values, uint64_t *ticks, uint64_t *depth) {
  return !values.empty() && read_took_of(values, ticks, depth);
}

// The calls that kEventOpen has, outermost first, and the time from which they count. A damaged
// event has none.
struct OpenFrame {
  uint64_t frame = 0; // address
  uint32_t id = 0;
  uint16_t sp = 0;
  bool tail = false;
};
std::vector<OpenFrame> read_open_frames(const Event &event, uint64_t *from_tsc);

// The memory of the stack on which the thread continues; all 0: the stack that it began with.
struct FiberStack {
  uint64_t low = 0, high = 0;
};
FiberStack read_fiber(const Event &event);

class Decoder {
public:
  // Continues with the next sub-buffer of the same stream. `words` must live as long as they are
  // decoded. If `lost` in its header has grown, the first event is kEventLost.
  void begin(const nophook_subbuf &header, std::span<const uint64_t> words);

  // The next event; false at the end of the sub-buffer.
  bool next(Event *event) {
    // Nearly every word is an event of function_graph without values.
    if (at_ != end_ && is_graph_event(*at_) && !lost_pending_) {
      uint64_t word = *at_++;
      fill(event, word, (uint8_t)(word >> NOPHOOK_KIND_SHIFT), 0);
      return true;
    }
    return next_of_any_kind(event);
  }

  bool is_at_end() const { return at_ == end_; }
  const Skipped &skipped() const { return skipped_; }

  // The state needed to decode the next sub-buffer.
  struct State {
    uint64_t last_tsc = 0;
    uint64_t lost = 0;
  };
  State state() const { return {last_tsc_, lost_}; }
  void restore(const State &state) {
    last_tsc_ = state.last_tsc;
    lost_ = state.lost;
  }

private:
  static constexpr uint64_t field(uint64_t word, unsigned shift, unsigned bits) {
    return word >> shift & ((uint64_t{1} << bits) - 1);
  }
  static constexpr uint32_t kind_of(uint64_t word) {
    return (uint32_t)(word >> NOPHOOK_KIND_SHIFT);
  }
  static constexpr bool is_graph_event(uint64_t word) {
    static_assert(NOPHOOK_EVENT_ENTRY == 1 && NOPHOOK_EVENT_ENTRY_ONLY == 4);
    return kind_of(word) - 1 < 4;
  }

  // Fills `event` from a word that has just been taken.
  void fill(Event *event, uint64_t word, uint8_t kind, uint64_t parent) {
    uint64_t sp = field(word, NOPHOOK_SP_SHIFT, NOPHOOK_SP_BITS);
    last_tsc_ = std::max(last_tsc_, time_base_ + field(word, 0, NOPHOOK_DT_BITS));
    event->tsc = last_tsc_;
    event->frame = sp_base_ - (sp << NOPHOOK_SP_UNIT_SHIFT);
    event->parent = parent;
    event->id = (uint32_t)field(word, NOPHOOK_ID_SHIFT, NOPHOOK_ID_BITS);
    event->cpu = cpu_;
    event->sp = (uint16_t)sp;
    event->kind = kind;
    event->values = payloads();
    event->end = at_;
  }

  // The remaining payloads of the event.
  std::span<const uint64_t> payloads() {
    const uint64_t *first = at_;
    while (at_ != end_ && kind_of(*at_) == NOPHOOK_EVENT_PAYLOAD)
      at_++;
    return {first, at_};
  }

  bool next_of_any_kind(Event *event);
  uint8_t control(uint64_t word);
  bool payload(uint64_t *value);

  const uint64_t *at_ = nullptr; // the next word
  const uint64_t *end_ = nullptr;
  uint64_t time_base_ = 0;
  uint64_t sp_base_ = 0;
  uint64_t last_tsc_ = 0;
  uint64_t lost_ = 0;         // number of lost events so far, from the headers
  uint64_t lost_pending_ = 0; // number of lost events not yet reported
  Skipped skipped_;
  uint32_t cpu_ = 0;
};

} // namespace nophook
