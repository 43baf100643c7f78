// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Takes sub-buffers by their state: full ones in each round, the others when their thread has
// ended.

#include "process/drain/process_drain.h"

#include "foundation/process.h"
#include "foundation/processor.h"
#include "process/drain/buffer_file.h"
#include "process/drain/cleared_prefix.h"
#include "process/drain/profile_file.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <memory>

namespace nophook {

namespace {

// A ring whose newest sub-buffer was recycled before it was copied is tried again.
constexpr int kRoundsOfCopying = 16;

// setproctitle() fills the rest of the line with 0s, which look like empty words. A single one may
// be the program's own.
std::vector<std::string> words_of_command(int32_t pid) {
  std::vector<std::string> words = command_line(pid);
  const bool is_title = words.size() > 2 && words.back().empty() && words[words.size() - 2].empty();
  while (is_title && words.size() > 1 && words.back().empty())
    words.pop_back();
  return words;
}

} // namespace

ProcessDrain::ProcessDrain(SharedBuffer buffer, RecordingWriter &writer, DrainTotals &totals)
    : buffer_(std::move(buffer)), writer_(writer), totals_(totals), index_(totals.processes++),
      rings_(buffer_.ring_count()), modules_(writer, totals, index_), names_(writer, index_) {
  command_ = words_of_command(buffer_.owner().number_here());
  describe();
  modules_.read(buffer_);
}

bool ProcessDrain::begin_anew(uint64_t session) {
  if (!buffer_.lock())
    return false;
  buffer_.log_lines(&log_offset_);
  buffer_.begin_anew(session);
  return true;
}

static const char *clock_name(uint32_t clock) {
  return clock == NOPHOOK_CLOCK_COUNTER    ? "counter"
         : clock == NOPHOOK_CLOCK_MONO_RAW ? "mono_raw"
         : clock == NOPHOOK_CLOCK_BOOT     ? "boot"
                                           : "mono";
}

void ProcessDrain::describe() {
  const nophook_buffer &header = buffer_.header();
  Json args = Json::list();
  for (const std::string &word : command_)
    args.push(printable(word));
  Json about = {{"pid", header.pid},
                {"ppid", header.ppid},
                {"comm", field_text(header.comm)},
                {"exe", field_text(header.exe)},
                {"arguments", args},
                {"tracer", tracer_name(header)},
                {"tracer_form", tracer_form(header)},
                {"start_tsc", header.start_tsc},
                {"start_ns", header.start_ns},
                {"machine", processor_of(header.machine)}};
  if (header.counter_hz)
    about.add("counter_hz", header.counter_hz);
  if (header.clock != NOPHOOK_CLOCK_TSC)
    about.add("clock", clock_name(header.clock));
  writer_.append_text(ChunkType::kProcess, index_, about.text());
}

// Looks at the command line from time to time: workers of nginx and sshd write a title over it,
// some time after the fork.
void ProcessDrain::look_at_command(bool is_last) {
  const int32_t pid = is_last || is_look_due(++looks_) ? buffer_.owner().number_here() : 0;
  std::vector<std::string> words = pid ? words_of_command(pid) : std::vector<std::string>();
  if (words.empty() || words == command_ ||
      !executes_the_same(buffer_, fmt::format("/proc/{}/", pid)))
    return;
  command_ = std::move(words);
  describe();
}

std::string ProcessDrain::judge_filters() {
  const std::string why = is_forbidden_ ? "" : later_filters_.look(buffer_, ring_end_);
  if (why.empty())
    return "";
  is_forbidden_ = true;
  stop();
  std::string line = fmt::format("nophook: process {} is traced no longer: {}\n", pid(), why);
  writer_.append_text(ChunkType::kLog, index_, line);
  return line;
}

std::string ProcessDrain::read_log() {
  std::string lines = buffer_.log_lines(&log_offset_);
  if (!lines.empty())
    writer_.append_text(ChunkType::kLog, index_, lines);
  return lines;
}

void ProcessDrain::begin_stream(Ring *ring, int32_t tid) {
  *ring = Ring();
  ring->stream = totals_.threads++;
  ring->tid = tid;
}

ProcessDrain::Ring &ProcessDrain::ring_of(const nophook_subbuf &header) {
  Ring &ring = rings_[header.ring];
  if (ring.stream == ~0u || ring.tid != header.tid) {
    begin_stream(&ring, header.tid);
    names_.stream_begins(buffer_, header.ring, header.tid, ring.stream);
  }
  return ring;
}

// The losses of the ring's thread, including the ones cleared since we first saw it.
uint64_t ProcessDrain::lost_of(uint32_t ring) const {
  bool is_its = rings_[ring].tid == buffer_.ring_tid(ring);
  return (is_its ? rings_[ring].lost.before(buffer_.cleared()) : 0) + buffer_.ring_lost(ring);
}

// The number of written events, less the recorded ones. A living thread writes on, so only the
// events before its last recorded one count.
uint64_t ProcessDrain::overwritten_of(uint32_t ring, bool gone) const {
  const uint64_t counted = buffer_.ring_written(ring);
  if (!buffer_.counts_written()) {
    auto least = least_overwritten_.find(ring);
    return least == least_overwritten_.end() ? counted : std::max(counted, least->second);
  }
  const Ring &r = rings_[ring];
  if (r.stream == ~0u || r.tid != buffer_.ring_tid(ring) || r.clears != buffer_.header().clears)
    return counted;
  const uint64_t written = gone || !r.written ? std::max(counted, r.written) : r.written;
  return written - std::min(written, r.events);
}

// `memory`: the words as written; `header`: the copy of its header that was checked.
bool ProcessDrain::write(nophook_subbuf header, nophook_subbuf *memory, uint32_t used,
                         uint32_t events) {
  if (header.ring >= rings_.size() || used == 0)
    return true;                     // begun and never written, or of an unknown form
  if (!nophook_is_seq(header.seq)) { // killed while it emptied this one
    uint64_t &least = least_overwritten_[header.ring];
    least = std::max(least, nophook_least_overwritten(header.seq));
    return true;
  }
  const uint64_t before = take_before(memory, used);
  if (!header.tid) // its thread was gone, and the thread that was to empty it was killed
    header.tid = memory->tid = buffer_.ring_tid(header.ring);
  uint64_t cleared = buffer_.cleared();
  Ring &ring = ring_of(header);
  memory->lost = ring.lost.at(header, cleared);
  if (ring.clears != buffer_.header().clears)
    ring.clears = buffer_.header().clears, ring.events = ring.written = 0;
  const uint64_t had = ring.events;
  const bool good = header.time_base < cleared ? write_rest(*memory, memory, used)
                                               : append(header, memory, used, events);
  ring.written = std::max(ring.written, before + ring.events - had);
  return good;
}

// Removes the words that count the events of the ring in front of a sub-buffer: a recording has no
// use for them.
uint64_t ProcessDrain::take_before(nophook_subbuf *memory, uint32_t used) const {
  constexpr uint64_t kPad =
      ((uint64_t)NOPHOOK_EVENT_CONTROL << NOPHOOK_ID_BITS | NOPHOOK_CONTROL_PAD)
      << NOPHOOK_ID_SHIFT;
  auto *words = reinterpret_cast<uint64_t *>(memory + 1);
  if (used < NOPHOOK_BEFORE_WORDS * sizeof *words ||
      words[0] >> NOPHOOK_ID_SHIFT != nophook_before_word(0) >> NOPHOOK_ID_SHIFT)
    return 0;
  const uint64_t before = buffer_.events_before({words, NOPHOOK_BEFORE_WORDS});
  words[0] = words[1] = kPad;
  return before;
}

bool ProcessDrain::append(const nophook_subbuf &header, const nophook_subbuf *memory, uint32_t used,
                          uint32_t events) {
  if (!writer_.append_subbuf(index_, ring_of(header).stream, events, memory, sizeof header + used))
    return false;
  totals_.events += events;
  ring_of(header).events += events;
  std::span words(reinterpret_cast<const uint64_t *>(memory + 1), used / 8);
  seen_.add(words);
  callers_.add(words);
  return true;
}

// Writes the part that has not been cleared, as a sub-buffer of its own.
bool ProcessDrain::write_rest(nophook_subbuf header, const nophook_subbuf *memory, uint32_t used) {
  std::span words(reinterpret_cast<const uint64_t *>(memory + 1), used / 8);
  std::span rest = words.subspan(words_before(&header, words, buffer_.cleared()));
  if (rest.empty())
    return true;
  header.used = (uint32_t)rest.size_bytes();
  auto copy = std::make_unique<uint64_t[]>(NOPHOOK_SUBBUF_BYTES / 8);
  auto *subbuf = reinterpret_cast<nophook_subbuf *>(copy.get());
  *subbuf = header;
  std::memcpy(subbuf + 1, rest.data(), header.used);
  return append(header, subbuf, header.used, count_words(rest).events);
}

bool ProcessDrain::take_full(uint32_t index, bool owner_gone) {
  nophook_subbuf header = *buffer_.subbuf(index);
  uint32_t used = std::min(header.used, kMaxSubbufUsed) & ~7u;
  WordCount count = count_words(buffer_.words(index, used));
  // The hole is an event whose writer was interrupted by a signal handler that filled the rest: it
  // will be completed. No thread waits for this sub-buffer.
  if (count.has_hole && !owner_gone)
    return false;
  if (!write(header, buffer_.subbuf(index), used, count.events))
    return false;
  buffer_.give_back(index);
  return true;
}

// Writes a sub-buffer from our own memory, up to its last word.
bool ProcessDrain::write_copy(nophook_subbuf *subbuf) {
  std::span<const uint64_t> words(reinterpret_cast<uint64_t *>(subbuf + 1), kMaxSubbufUsed / 8);
  words = words.first(written_words(words));
  subbuf->used = (uint32_t)words.size() * 8;
  return write(*subbuf, subbuf, subbuf->used, count_words(words).events);
}

// A writer that runs out of space also takes over the sub-buffers that a thread has left.
void ProcessDrain::take_left(uint32_t index, int32_t tid) {
  auto copy = std::make_unique<uint64_t[]>(NOPHOOK_SUBBUF_BYTES / 8);
  std::memcpy(copy.get(), buffer_.subbuf(index), buffer_.memory_bytes(index));
  auto *subbuf = reinterpret_cast<nophook_subbuf *>(copy.get());
  int32_t expected = tid;
  if (subbuf->tid != tid || !__atomic_compare_exchange_n(&buffer_.subbuf(index)->tid, &expected, 0,
                                                         false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
    return;
  if (write_copy(subbuf))
    buffer_.give_back(index);
}

void ProcessDrain::take_active(uint32_t index) {
  nophook_subbuf *subbuf = buffer_.subbuf(index);
  uint32_t used = (uint32_t)written_words(buffer_.words(index)) * 8;
  subbuf->used = used;
  if (write(*subbuf, subbuf, used, count_words(buffer_.words(index, used)).events))
    buffer_.give_back(index);
}

// Copies a sub-buffer of a living thread. False: its owner has recycled it since.
bool ProcessDrain::copy_living(const HeldSubbuf &held) {
  bool is_full;
  auto copy = copy_held(buffer_, held, &is_full);
  if (!copy)
    return false;
  write_copy(reinterpret_cast<nophook_subbuf *>(copy.get()));
  return true;
}

// Copies the rings of a process that goes on, each as of one moment. Sub-buffers begun later are
// left out, and the older ones follow in falling order, since the owner recycles the oldest first:
// once it has overtaken us, all older ones are gone, too. So a copy has no gap.
void ProcessDrain::copy_living_rings() {
  std::vector<bool> is_copied(rings_.size());
  for (int round = 0; round < kRoundsOfCopying; round++) {
    std::vector<HeldSubbuf> held = held_subbufs(buffer_);
    std::erase_if(held, [&](const HeldSubbuf &h) { return is_copied[h.ring]; });
    for (size_t i = 0, end; i < held.size() && !writer_.failure(); i = end) {
      for (end = i;
           end < held.size() && held[end].ring == held[i].ring && held[end].tid == held[i].tid;)
        end++;
      std::span run = longest_run(std::span(held).subspan(i, end - i));
      for (size_t k = run.size(); k-- > 0 && copy_living(run[k]);)
        is_copied[run[k].ring] = true;
    }
    if (held.empty())
      return;
  }
}

bool ProcessDrain::drain() {
  bool worked = false;
  names_.look(buffer_, ThreadNames::When::kNew);
  if (buffer_.overwrites() || !buffer_.lock())
    return false; // a flight recorder is read at the end only; or another recorder reads
  uint32_t active = 0;
  for (uint32_t i = 0; i < buffer_.subbuf_count() && !writer_.failure(); i++) {
    uint32_t state = buffer_.state(i);
    if (state == NOPHOOK_SUBBUF_FULL)
      worked |= take_full(i, false);
    active += state == NOPHOOK_SUBBUF_ACTIVE;
  }
  // Thousands of short threads leave a sub-buffer each: these must be taken sooner.
  bool crowded = active > buffer_.subbuf_most() / 4;
  if (crowded && crowded_++ % 4 == 0)
    reclaim_threads();
  return worked || crowded;
}

void ProcessDrain::count_lost(uint32_t ring, int32_t tid, uint64_t lost, uint64_t overwritten) {
  if (!lost && !overwritten)
    return;
  Ring &r = rings_[ring];
  if (r.stream == ~0u)
    begin_stream(&r, tid);
  LostCount count = {r.stream, r.tid, lost, overwritten};
  writer_.append(ChunkType::kLost, index_,
                 {reinterpret_cast<const uint8_t *>(&count), sizeof count});
  totals_.lost += lost;
  totals_.overwritten += overwritten;
}

uint64_t ProcessDrain::lost_now() const {
  uint64_t lost = buffer_.lost();
  for (uint32_t ring = 0; ring < ring_end_; ring++)
    if (buffer_.ring_tid(ring))
      lost += lost_of(ring);
  return lost;
}

void ProcessDrain::reclaim_threads() {
  names_.look(buffer_, ThreadNames::When::kTimed);
  look_at_command(false);
  std::unordered_map<uint32_t, int32_t> gone; // ring, tid
  // Threads take the lowest free ring, so few of the thousands need a look.
  for (uint32_t ring = 0; ring < rings_.size() && ring < ring_end_ + 64; ring++)
    if (int32_t tid = buffer_.ring_tid(ring)) {
      ring_end_ = std::max(ring_end_, ring + 1);
      if (buffer_.owner().is_thread_gone(tid))
        gone[ring] = tid;
    }
  if (gone.empty() || !buffer_.lock())
    return;
  for (uint32_t i = 0; i < buffer_.subbuf_count() && !writer_.failure(); i++) {
    uint32_t state = buffer_.state(i);
    if (state == NOPHOOK_SUBBUF_FREE)
      continue;
    auto owner = gone.find(buffer_.subbuf(i)->ring);
    if (owner == gone.end())
      continue;
    // A thread begins it at this moment, or leaves it for the thread that is gone, and is about to
    // count its events: the next look finds the ring's counts whole.
    const int32_t tid = __atomic_load_n(&buffer_.subbuf(i)->tid, __ATOMIC_ACQUIRE);
    if (tid == 0) {
      gone.erase(owner);
      continue;
    }
    if (owner->second != tid)
      continue;
    if (buffer_.overwrites())
      take_left(i, owner->second);
    else if (state == NOPHOOK_SUBBUF_FULL)
      take_full(i, true);
    else
      take_active(i);
  }
  if (writer_.failure())
    return;
  for (const auto &[ring, tid] : gone) {
    uint64_t lost = lost_of(ring), overwritten = overwritten_of(ring, true);
    if (buffer_.give_back_ring(ring, tid))
      count_lost(ring, tid, lost, overwritten);
    rings_[ring] = Ring();
    least_overwritten_.erase(ring);
  }
}

void ProcessDrain::finish(bool gone) {
  if (!gone) {
    names_.look(buffer_, ThreadNames::When::kLast);
    look_at_command(true);
  }
  buffer_.stop();
  bool is_ours = buffer_.lock();
  bool takes_full = is_ours && (gone || !(buffer_.is_copy() || buffer_.overwrites()));
  for (uint32_t i = 0; i < buffer_.subbuf_count() && !writer_.failure(); i++)
    if (uint32_t state = buffer_.state(i); state == NOPHOOK_SUBBUF_FULL && takes_full)
      take_full(i, true);
    else if (state == NOPHOOK_SUBBUF_ACTIVE && gone && is_ours)
      take_active(i);
  if (!gone || !is_ours)
    copy_living_rings();
  for (uint32_t ring = 0; ring < rings_.size(); ring++)
    if (int32_t tid = buffer_.ring_tid(ring))
      count_lost(ring, tid, lost_of(ring), overwritten_of(ring, gone));
  if (LostCount count = {~0u, 0, buffer_.lost(), buffer_.overwritten()};
      count.lost || count.overwritten) {
    writer_.append(ChunkType::kLost, index_,
                   {reinterpret_cast<const uint8_t *>(&count), sizeof count});
    totals_.lost += count.lost;
    totals_.overwritten += count.overwritten;
  }
  modules_.read(buffer_);
  if (nophook_form_is_profile(tracer_form(buffer_.header()))) // else an earlier tracer's
    totals_.profiled += write_profile(buffer_.path(), index_, writer_, &seen_);
  modules_.count_functions(seen_, callers_);
}

} // namespace nophook
