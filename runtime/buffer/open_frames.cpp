// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Searches the stack for marks. Its end is unknown: each page is tried before it is read. Above a
// thread's stack lies its block, where the search ends, too.

#include "buffer/open_frames.h"

#include "base/own_identity.h"
#include "base/safe_read.h"
#include "buffer/event_words.h"
#include "buffer/trace_clock.h"

namespace nophook {
namespace {

constexpr uint64_t kUnit = uint64_t{1} << NOPHOOK_SP_UNIT_SHIFT;
constexpr uint64_t kSignature = (~uint64_t{0} >> 3) & ~(kDtSpan - 1);
constexpr uint64_t kTail = uint64_t{1} << GRAPH_MARK_TAIL_BIT;

// The event's payload, in a sub-buffer whose words are all 0.
struct Note {
  uint64_t at;
  uint64_t before; // the frame that was put last
  uint32_t calls = 0;

  void put(uint64_t value) {
    __atomic_store_n(reinterpret_cast<uint64_t *>(at), ~value, __ATOMIC_RELEASE);
    at += 8;
  }
  void put_call(uint64_t signature, uint64_t frame) {
    frame = round_up(frame, kUnit); // a reader computes the frame from its `sp`, in these units
    put(signature | (frame - before) / kUnit);
    before = frame;
    calls++;
  }
};

uint64_t load(uint64_t address) {
  return *reinterpret_cast<const volatile uint64_t *>(address);
}

bool is_mark(uint64_t word, uint64_t frame) {
  return (uint32_t)word == (uint32_t)frame && (word >> 32 == frame >> 32 || word >> 32 & kTail);
}

// The first word from `at` on, and below `end`, that may be a mark; `end`: there is none. The
// search covers a thread's whole stack, so the loop takes five instructions a word.
uint64_t next_candidate(uint64_t at, uint64_t end) {
  while (at < end &&
         *reinterpret_cast<const volatile uint32_t *>(at) != (uint32_t)(at + Arch::kMarkToFrame))
    at += 8;
  return at;
}

// Puts the call whose mark the word at `at` is, if it is one. False: there is no room.
bool put_marked(uint64_t at, Note *note) {
  const uint64_t word = load(at), frame = at + Arch::kMarkToFrame;
  const uint64_t signature = load(at + (uint64_t)Arch::kMarkToSignature);
  if (!is_mark(word, frame) || !signature || signature & ~kSignature)
    return true;
  if (note->calls >= kMostOpenFrames)
    return false;
  note->put_call(signature, frame);
  if (word >> 32 & kTail)
    note->put_call((word >> 32 & ~kTail) << NOPHOOK_ID_SHIFT, frame);
  return true;
}

// Puts the calls whose frames lie from `at` on upwards. False: there are more.
bool search(uint64_t at, Note *note) {
  const auto block = reinterpret_cast<uint64_t>(thread_pointer());
  const uint64_t end = block - at < kOpenFramesBytes ? block : at + kOpenFramesBytes;
  uint64_t readable = at; // end of the part that is known to be readable
  while (at < end) {
    for (; readable <= at + Arch::kMarkToFrame;
         readable = round_down(readable, kPageBytes) + kPageBytes)
      if (!is_readable_now(readable))
        return true;
    const uint64_t known = readable - Arch::kMarkToFrame, until = known < end ? known : end;
    at = next_candidate(at, until);
    if (at >= until)
      continue;
    if (!put_marked(at, note))
      return false;
    at += 8;
  }
  return true;
}

} // namespace

void note_open_frames(const Buffer &buffer, Writer *w, const NewEvent &event) {
  const bool follows_fork = w->inherits && clock_kind(buffer.clock) == NOPHOOK_CLOCK_TSC;
  w->inherits = 0;
  const uint64_t exits = event.kind == NOPHOOK_EVENT_EXIT ? event.parent : 0;
  uint64_t from = exits         ? exits
                  : event.frame ? event.frame
                                : reinterpret_cast<uint64_t>(__builtin_frame_address(0));
  const uint64_t first = round_up(from, kUnit) - kUnit;
  Note note = {w->pos + 8, first};
  note.put(follows_fork ? forked_at() : 0);
  note.put(first);
  if (exits) // an exit's frame has no mark any more
    note.put_call(event.signature & kSignature, exits);
  const bool is_whole = search(round_up(from + 1, 8), &note);
  if (!note.calls) {
    for (uint64_t at = w->pos + 8; at < note.at; at += 8)
      __atomic_store_n(reinterpret_cast<uint64_t *>(at), 0, __ATOMIC_RELAXED);
    return;
  }
  const uint64_t more = (uint64_t)!is_whole << NOPHOOK_SP_SHIFT;
  __atomic_store_n(reinterpret_cast<uint64_t *>(w->pos),
                   word(NOPHOOK_EVENT_CONTROL, NOPHOOK_CONTROL_INHERITED, more), __ATOMIC_RELEASE);
  w->pos = note.at;
}

} // namespace nophook
