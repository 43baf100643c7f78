// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "decode/decoder.h"

#include <algorithm>

namespace nophook {

namespace {

constexpr uint64_t field(uint64_t word, unsigned shift, unsigned bits) {
  return word >> shift & ((uint64_t{1} << bits) - 1);
}

constexpr uint32_t kind_of(uint64_t word) {
  return (uint32_t)(word >> NOPHOOK_KIND_SHIFT);
}

} // namespace

bool read_took(std::span<const uint64_t> values, uint64_t *ticks, uint64_t *depth) {
  constexpr unsigned kBits = 8, kMostBytes = 3 * NOPHOOK_VALUES_PER_WORD;
  unsigned at = 0;
  auto byte = [&] {
    uint64_t word = at / NOPHOOK_VALUES_PER_WORD;
    uint64_t value =
        word < values.size() ? ~values[word] >> kBits * (at % NOPHOOK_VALUES_PER_WORD) : 0;
    at++;
    return (uint8_t)value;
  };
  if (values.empty() || byte() != NOPHOOK_VALUES_TOOK)
    return false;
  for (uint64_t *number : {ticks, depth}) {
    *number = 0;
    uint8_t part = 0x80;
    for (unsigned shift = 0; part & 0x80 && shift < 64 && at < kMostBytes; shift += 7) {
      part = byte();
      *number |= (uint64_t)(part & 0x7f) << shift;
    }
  }
  return true;
}

void Decoder::begin(const nophook_subbuf &header, std::span<const uint64_t> words) {
  words_ = words;
  at_ = 0;
  time_base_ = header.time_base;
  sp_base_ = header.sp_base;
  cpu_ = header.cpu;
  lost_pending_ = header.lost > lost_ ? header.lost - lost_ : 0;
  lost_ = std::max(lost_, header.lost);
}

// The payload behind the event at at_ - 1.
bool Decoder::payload(uint64_t *value) {
  if (at_ == words_.size() || kind_of(words_[at_]) != NOPHOOK_EVENT_PAYLOAD) {
    skipped_++;
    return false;
  }
  *value = ~words_[at_++];
  return true;
}

// All that are left behind the event.
std::span<const uint64_t> Decoder::payloads() {
  uint64_t first = at_;
  while (at_ < words_.size() && kind_of(words_[at_]) == NOPHOOK_EVENT_PAYLOAD)
    at_++;
  return words_.subspan(first, at_ - first);
}

// Controls that are events to us; else 0.
static uint8_t event_of(uint64_t word) {
  if (kind_of(word) != NOPHOOK_EVENT_CONTROL)
    return 0;
  uint64_t id = field(word, NOPHOOK_ID_SHIFT, NOPHOOK_ID_BITS);
  return id == NOPHOOK_CONTROL_MARK ? kEventMark : id == NOPHOOK_CONTROL_END ? kEventEnd : 0;
}

void Decoder::control(uint64_t word) {
  constexpr unsigned kValueBits = NOPHOOK_DT_BITS + NOPHOOK_SP_BITS;
  uint64_t value = field(word, 0, kValueBits);
  switch (field(word, NOPHOOK_ID_SHIFT, NOPHOOK_ID_BITS)) {
  case NOPHOOK_CONTROL_CPU:
    cpu_ = (uint32_t)value;
    break;
  case NOPHOOK_CONTROL_TIME:
    if (payload(&value))
      time_base_ = value;
    break;
  case NOPHOOK_CONTROL_STACK:
    if (payload(&value))
      sp_base_ = value;
    break;
  case NOPHOOK_CONTROL_PAD:
    break;
  default:
    skipped_++;
  }
}

bool Decoder::next(Event *event) {
  if (lost_pending_) {
    last_tsc_ = std::max(last_tsc_, time_base_);
    *event = {last_tsc_, 0, lost_pending_, 0, cpu_, 0, kEventLost, {}, nullptr};
    lost_pending_ = 0;
    return true;
  }
  while (at_ < words_.size()) {
    uint64_t word = words_[at_++];
    uint32_t kind = kind_of(word);
    uint8_t ours = event_of(word);
    if (kind == NOPHOOK_EVENT_CONTROL && !ours) {
      control(word);
      continue;
    }
    if (kind == NOPHOOK_EVENT_NONE) {
      payloads(); // of an event that was never completed, or was being written just then
      continue;
    }
    if (kind == NOPHOOK_EVENT_PAYLOAD) {
      skipped_++;
      continue;
    }
    uint64_t parent = 0;
    if (kind == NOPHOOK_EVENT_FUNCTION && !payload(&parent))
      continue;
    uint64_t dt = field(word, 0, NOPHOOK_DT_BITS);
    uint64_t sp = field(word, NOPHOOK_SP_SHIFT, NOPHOOK_SP_BITS);
    last_tsc_ = std::max(last_tsc_, time_base_ + dt);
    event->tsc = last_tsc_;
    event->frame = sp_base_ - (sp << NOPHOOK_SP_UNIT_SHIFT);
    event->parent = parent;
    event->id = (uint32_t)field(word, NOPHOOK_ID_SHIFT, NOPHOOK_ID_BITS);
    event->cpu = cpu_;
    event->sp = (uint16_t)sp;
    event->kind = ours ? ours : (uint8_t)kind;
    event->values = payloads();
    event->end = words_.data() + at_;
    return true;
  }
  return false;
}

} // namespace nophook
