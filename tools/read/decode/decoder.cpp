// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "read/decode/decoder.h"

namespace nophook {

namespace {

// The bytes of an event's values, one after another; behind the last one 0s.
class ValueBytes {
public:
  explicit ValueBytes(std::span<const uint64_t> words) : words_(words) {}

  uint8_t next() {
    constexpr unsigned kBits = 8;
    const unsigned word = at_ / NOPHOOK_VALUES_PER_WORD, byte = at_ % NOPHOOK_VALUES_PER_WORD;
    at_++;
    return word < words_.size() ? (uint8_t)(~words_[word] >> kBits * byte) : 0;
  }
  uint64_t uleb() {
    uint64_t number = 0;
    uint8_t part = 0x80;
    for (unsigned shift = 0; part & 0x80 && shift < 64; shift += 7) {
      part = next();
      number |= (uint64_t)(part & 0x7f) << shift;
    }
    return number;
  }

private:
  std::span<const uint64_t> words_;
  unsigned at_ = 0;
};

} // namespace

bool read_took_of(std::span<const uint64_t> values, uint64_t *ticks, uint64_t *depth) {
  ValueBytes bytes(values);
  if (bytes.next() != NOPHOOK_VALUES_TOOK)
    return false;
  *ticks = bytes.uleb();
  *depth = bytes.uleb();
  return true;
}

FiberStack read_fiber(const Event &event) {
  ValueBytes bytes(event.values);
  const uint64_t low = bytes.uleb(), size = bytes.uleb();
  return low + size < low ? FiberStack{} : FiberStack{low, low + size};
}

std::vector<OpenFrame> read_open_frames(const Event &event, uint64_t *from_tsc) {
  constexpr size_t kHead = 2;
  constexpr uint64_t kKind = uint64_t{7} << NOPHOOK_KIND_SHIFT;
  *from_tsc = event.tsc;
  if (event.values.size() < kHead)
    return {};
  const uint64_t from = ~event.values[0];
  uint64_t frame = ~event.values[1];
  if (from && from < event.tsc)
    *from_tsc = from;
  std::vector<OpenFrame> calls;
  for (uint64_t word : event.values.subspan(kHead)) {
    word = ~word & ~kKind;
    const uint64_t distance = word & ((uint64_t{1} << NOPHOOK_DT_BITS) - 1);
    frame += distance << NOPHOOK_SP_UNIT_SHIFT;
    OpenFrame call = {frame, (uint32_t)(word >> NOPHOOK_ID_SHIFT),
                      (uint16_t)(word >> NOPHOOK_SP_SHIFT & ((1 << NOPHOOK_SP_BITS) - 1)),
                      distance == 0};
    calls.push_back(call);
    if (!call.tail)
      continue;
    if (calls.size() < 2) // a tail call must have replaced a call
      return {};
    std::swap(calls.back(), calls[calls.size() - 2]); // the tail call is the inner one
  }
  std::ranges::reverse(calls);
  return calls;
}

void Decoder::begin(const nophook_subbuf &header, std::span<const uint64_t> words) {
  at_ = words.data();
  end_ = at_ + words.size();
  time_base_ = header.time_base;
  sp_base_ = header.sp_base;
  cpu_ = header.cpu;
  lost_pending_ = header.lost > lost_ ? header.lost - lost_ : 0;
  lost_ = std::max(lost_, header.lost);
}

// The payload behind the event at at_ - 1.
bool Decoder::payload(uint64_t *value) {
  if (at_ == end_ || kind_of(*at_) != NOPHOOK_EVENT_PAYLOAD) {
    skipped_.damaged++;
    return false;
  }
  *value = ~*at_++;
  return true;
}

namespace {

enum class Role : uint8_t { STATE, STACKS, OFF, INSTANT };

// Whether the kind's row says INSTANT. Such a kind needs no code here.
bool is_instant(uint64_t number) {
  switch (number) {
#define NOPHOOK_ROW(NAME, number, role, name, fields)                                              \
  case number:                                                                                     \
    return Role::role == Role::INSTANT;
    NOPHOOK_EVENT_KINDS(NOPHOOK_ROW)
#undef NOPHOOK_ROW
  }
  return false;
}

} // namespace

// The kind of event that a CONTROL word is for a reader; NOPHOOK_EVENT_NONE: it is not shown.
uint8_t Decoder::control(uint64_t word) {
  constexpr unsigned kValueBits = NOPHOOK_DT_BITS + NOPHOOK_SP_BITS;
  uint64_t value = field(word, 0, kValueBits);
  const uint64_t number = field(word, NOPHOOK_ID_SHIFT, NOPHOOK_ID_BITS);
  switch (number) {
  case NOPHOOK_CONTROL_CPU:
    cpu_ = (uint32_t)value;
    return NOPHOOK_EVENT_NONE;
  case NOPHOOK_CONTROL_TIME:
    if (payload(&value))
      time_base_ = value;
    return NOPHOOK_EVENT_NONE;
  case NOPHOOK_CONTROL_STACK:
    if (payload(&value))
      sp_base_ = value;
    return NOPHOOK_EVENT_NONE;
  case NOPHOOK_CONTROL_BEFORE:
    payload(&value); // not shown
    return NOPHOOK_EVENT_NONE;
  case NOPHOOK_CONTROL_PAD:
    return NOPHOOK_EVENT_NONE;
  case NOPHOOK_CONTROL_MARK:
    return kEventMark;
  case NOPHOOK_CONTROL_END:
    return kEventEnd;
  case NOPHOOK_CONTROL_INHERITED:
    return kEventOpen;
  case NOPHOOK_CONTROL_FIBER:
    return kEventFiber;
  case NOPHOOK_CONTROL_OFF_CPU:
    return kEventOff;
  }
  if (is_instant(number))
    return kEventOther;
  payloads();
  skipped_.newer++;
  return NOPHOOK_EVENT_NONE;
}

bool Decoder::next_of_any_kind(Event *event) {
  if (lost_pending_) {
    last_tsc_ = std::max(last_tsc_, time_base_);
    *event = {last_tsc_, 0, lost_pending_, 0, cpu_, 0, kEventLost, {}, nullptr};
    lost_pending_ = 0;
    return true;
  }
  while (at_ != end_) {
    uint64_t word = *at_++, parent = 0;
    uint8_t kind = (uint8_t)kind_of(word);
    switch (kind) {
    case NOPHOOK_EVENT_NONE:
      payloads(); // their event was not or not yet completed
      continue;
    case NOPHOOK_EVENT_PAYLOAD:
      skipped_.damaged++;
      continue;
    case NOPHOOK_EVENT_FUNCTION:
      if (!payload(&parent))
        continue;
      break;
    case NOPHOOK_EVENT_CONTROL:
      kind = control(word);
      if (kind == NOPHOOK_EVENT_NONE)
        continue;
      break;
    }
    fill(event, word, kind, parent);
    return true;
  }
  return false;
}

} // namespace nophook
