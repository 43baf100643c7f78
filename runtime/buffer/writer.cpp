// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The slow path of an event: once for each sub-buffer, each moved base, each interrupted
// reservation. It runs with all signals blocked, so it is alone with the thread's writer;
// against other threads it needs only the compare-and-exchange that takes a free sub-buffer.
//
// The opening of buffer/trace_buffer.h lists its restrictions. It also must not wait: an event that
// may wait (buffer_mode=wait) does so with no signal blocked.

#include "base/leb.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/own_identity.h"
#include "base/own_name.h"
#include "base/rseq.h"
#include "base/signals.h"
#include "buffer/event_words.h"
#include "buffer/off_cpu.h"
#include "buffer/open_frames.h"
#include "buffer/trace_buffer.h"
#include "buffer/trace_clock.h"

#include <errno.h>
#include <signal.h>

namespace nophook {

// The writer of a thread that has written nothing yet: full, so that no fast path needs to ask for
// null.
static Writer g_no_writer;
constinit thread_local Writer *nophook_writer __attribute__((tls_model("initial-exec"))) =
    &g_no_writer;
thread_local uint32_t nophook_no_cpu __attribute__((tls_model("initial-exec"))) =
    NOPHOOK_CPU_UNKNOWN;
int64_t nophook_cpu_offset = 0;
void (*g_thread_begins)() = nullptr;
bool (*g_is_in_handler)() = nullptr;

// Stores that other threads may be reading: they have found the same value.
void find_cpu_numbers() {
  auto offset = rseq_cpu_offset();
  if (!offset)
    offset = reinterpret_cast<char *>(&nophook_no_cpu) - thread_pointer();
  __atomic_store_n(&nophook_cpu_offset, offset, __ATOMIC_RELAXED);
}

namespace {

// Moves the stack base so that `frame` lies in the middle half of the window: a program that
// swings around it does not move it at each call. Not at one place in it, or the sp of every
// entry that moves the base were the same, and in a recursion of large frames an EXIT would
// name all of them. The stride is odd: 2048 moves pass before an sp comes again.
void move_base(Writer *w, uint64_t frame) {
  constexpr uint64_t kUnits = kSpSpan >> NOPHOOK_SP_UNIT_SHIFT;
  uint64_t units = kUnits / 4 + w->moves++ * 617 % (kUnits / 2);
  w->sp_base = (frame & ~uint64_t{15}) + (units << NOPHOOK_SP_UNIT_SHIFT);
}

// The thread's writer, if it has one; otherwise one that is full.
inline Writer *find_writer(const Buffer &buffer) {
  if (!buffer.number)
    return nophook_writer;
  Writer *w = own_ring_writer(buffer);
  return w ? w : &g_no_writer;
}

// Clears a writer. Other threads may look at the place where an ended thread has stopped, and store
// 0 to any limit.
void clear_writer(Writer *w) {
  __atomic_store_n(&w->limit, 0, __ATOMIC_RELAXED);
  __atomic_store_n(&w->subbuf, 0, __ATOMIC_RELAXED);
  __atomic_store_n(&w->index, 0, __ATOMIC_RELAXED);
  w->kept.newest = w->kept.waiting = w->kept.last_waiting = w->kept.changes = 0;
  w->pos = w->time_base = w->sp_base = 0;
  w->cpu = w->full_at = w->ring = w->watched = 0;
  w->watch = 0;
  w->clocks = {};
  w->tid = 0;
  w->owned = w->moves = 0;
  w->inherits = 0;
}

Writer *give_back_ring(Buffer &buffer, uint32_t ring) {
  clear_writer(&buffer.writers[ring]);
  __atomic_store_n(&buffer.rings[ring].tid, 0, __ATOMIC_RELEASE);
  put_left(buffer, ring);
  return nullptr;
}

// The thread's writer, with a ring; null when all rings are taken.
Writer *own_writer(Buffer &buffer) {
  Writer *w = find_writer(buffer);
  if (w->owned == kOwnedInVfork) {
    adopt_ring(buffer, w);
    w->clocks = {}; // a child's
  }
  if (w->owned) // in a fork child the writer is zeroed
    return w;
  // A fork child's first thread finds the state that its parent's thread set at its own first
  // event.
  const bool has_begun = !buffer.number && w != &g_no_writer;
  int32_t tid = lasting_thread_id();
  uint32_t ring = take_ring(buffer, tid);
  if (ring == kRingCount)
    return nullptr;
  w = &buffer.writers[ring];
  clear_writer(w);
  w->ring = ring;
  w->tid = tid;
  w->owned = is_vfork_child() ? kOwnedInVfork : kOwned;
  w->inherits = has_begun;
  if (!buffer.number)
    nophook_writer = w;
  else if (!keep_own_ring(buffer, ring))
    return give_back_ring(buffer, ring);
  void (*begins)() = __atomic_load_n(&g_thread_begins, __ATOMIC_ACQUIRE);
  if (begins && !has_begun)
    begins();
  return w;
}

// Now and then stores one instant on both clocks, for readers after the end: together with the
// first one it gives the counter's speed. If two threads do so at once, only the first one stores.
void tell_clock(Buffer &buffer) {
  nophook_buffer *header = buffer.header;
  if (__atomic_exchange_n(&header->clock_busy, 1, __ATOMIC_ACQUIRE))
    return;
  header->clock_realtime_ns = realtime_ns();
  header->clock_ns = monotonic_ns();
  header->clock_tsc = clock_peek(buffer.clock);
  __atomic_store_n(&header->clock_busy, 0, __ATOMIC_RELEASE);
}

// Puts the number of events that the ring has written before, for readers of a buffer that
// overwrites; returns the bytes that it takes.
uint64_t put_before(const Buffer &buffer, nophook_subbuf *fresh, const nophook_ring &ring) {
  if (!buffer_overwrites(buffer))
    return 0;
  auto *words = reinterpret_cast<uint64_t *>(fresh + 1);
  words[1] = ~ring.written;
  __atomic_store_n(&words[0], nophook_before_word(ring.clears), __ATOMIC_RELEASE);
  return NOPHOOK_BEFORE_WORDS * sizeof(uint64_t);
}

bool begin_subbuf(Buffer &buffer, Writer *w, const NewEvent &event) {
  const uint64_t frame = event.frame;
  uint32_t index = next_subbuf(buffer, w);
  if (index == kNoSubbuf)
    return false;
  nophook_subbuf *fresh = subbuf_at(buffer, index);
  w->full_at = 0;
  nophook_ring &ring = buffer.rings[w->ring];
  if (frame && !in_window(w, frame))
    move_base(w, frame);
  w->cpu = rseq_cpu();
  w->time_base = clock_peek(buffer.clock);
  fresh->sp_base = w->sp_base;
  fresh->lost = ring.lost;
  fresh->cpu = current_cpu();
  // Another thread may still look at the sub-buffer's earlier use. Its claim fails.
  __atomic_store_n(&fresh->time_base, w->time_base, __ATOMIC_RELAXED);
  __atomic_store_n(&fresh->tid, w->tid, __ATOMIC_RELAXED);
  __atomic_store_n(&fresh->ring, w->ring, __ATOMIC_RELAXED);
  __atomic_store_n(&fresh->used, 0, __ATOMIC_RELAXED);
  read_own_name(fresh->comm);
  const uint64_t header_bytes = NOPHOOK_SUBBUF_HEADER_BYTES + put_before(buffer, fresh, ring);
  __atomic_store_n(&fresh->seq, ring.subbufs, __ATOMIC_RELEASE); // stored last: see buffer.h
  ring.subbufs++;
  tell_clock(buffer);
  const auto begun = reinterpret_cast<uint64_t>(fresh);
  *(buffer.written_to - w->ring) = begun;
  __atomic_store_n(&w->index, index, __ATOMIC_RELAXED);
  // Pairs with leave_for_others(), which reads index and header.
  __atomic_store_n(&w->subbuf, begun, __ATOMIC_RELEASE);
  w->pos = w->subbuf + header_bytes;
  if (wants_open_frames(buffer, w))
    note_open_frames(buffer, w, event);
  return true;
}

// Whether the thread is on a signal stack. In a sandbox only the frame of the handler shows it.
bool is_on_signal_stack() {
  stack_t stack;
  return !has_few_calls() &&
         (sys_failed(sys(SYS_sigaltstack, nullptr, &stack)) || stack.ss_flags & SS_ONSTACK);
}

uint64_t now_ms() {
  return monotonic_ns() / 1000000;
}

// Whether a thread that finds no room may wait for the reader. It does so once; then no other event
// waits until a sub-buffer is given back.
bool can_wait(const Buffer &buffer) {
  return buffer.full == NOPHOOK_FULL_WAIT && !is_on_signal_stack() &&
         !__atomic_load_n(&buffer.gave_up_waiting, __ATOMIC_RELAXED) &&
         !(g_is_in_handler && g_is_in_handler());
}

// Whether room may come without a freed sub-buffer. A handler that has written into the middle of
// another event loses its own, but as soon as the other one is complete, the ring can be recycled;
// and after a handler the thread itself will wait.
bool may_find_room_again(const Buffer &buffer, const Writer *w) {
  return buffer.full == NOPHOOK_FULL_WAIT
             ? !__atomic_load_n(&buffer.gave_up_waiting, __ATOMIC_RELAXED)
             : waits_for_event(buffer, w->ring);
}

// Whether an event of `bytes` fits into the writer's sub-buffer. Its memory behind the first part
// is taken only here: where the file system has none left, the sub-buffer ends there.
bool has_room(Buffer &buffer, const Writer *w, uint64_t bytes) {
  uint64_t end = w->pos + bytes - w->subbuf + kLimitSlackBytes;
  return end <= backed_bytes(buffer, w->index) ||
         (end <= NOPHOOK_SUBBUF_BYTES && back_whole(buffer, w->index));
}

// The most bytes that append() writes in front of an event: cpu 8, time 16, stack 16, and those of
// put_time_off().
constexpr uint64_t kControlBytes = 40 + kTimeOffBytes;

// A sub-buffer that has just been begun has room for any event: values are below 2 KiB.
static_assert(NOPHOOK_SUBBUF_HEADER_BYTES + NOPHOOK_BEFORE_WORDS * 8 + kControlBytes + 24 +
                  2048 / NOPHOOK_VALUES_PER_WORD * 8 + kLimitSlackBytes <=
              NOPHOOK_SUBBUF_FIRST_BYTES);

uint64_t lose(const Buffer &buffer, const Writer *w, const NewEvent &event) {
  __atomic_fetch_add(&buffer.rings[w->ring].lost,
                     nophook_is_counted(word(event.kind, 0, event.signature)), __ATOMIC_RELAXED);
  return event.signature;
}

// Returns the event's signature. `*waits`: whether the event may wait; if it is still true
// afterwards, it has to.
uint64_t append(Buffer &buffer, Writer *w, const NewEvent &event, bool *waits) {
  bool may_wait = *waits;
  *waits = false;
  uint64_t signature = event.signature;
  uint64_t bytes = kControlBytes + 8 + 8 * payload_words(event);
  if (w->subbuf && is_beyond(buffer, w))
    leave_beyond(buffer, w);
  else if (w->subbuf && !has_room(buffer, w, bytes))
    leave_subbuf(buffer, w);
  follow_clears(buffer, &buffer.rings[w->ring]);
  const bool begins = !w->subbuf;
  if (begins) {
    if (buffer.header->stop)
      return signature;
    uint32_t freed = __atomic_load_n(&buffer.header->freed, __ATOMIC_ACQUIRE); // before the look
    if (!begin_subbuf(buffer, w, event)) {
      if (may_wait && can_wait(buffer)) {
        *waits = true;
        return signature;
      }
      w->full_at = may_find_room_again(buffer, w) ? 0 : freed + 1;
      return lose(buffer, w, event);
    }
    if (!has_room(buffer, w, bytes)) // there are many open calls in front
      return lose(buffer, w, event);
  }
  const TimeOff off = follow_thread(buffer, w, begins);
  if (off.cpu != w->cpu) {
    w->cpu = off.cpu;
    put(w, word(NOPHOOK_EVENT_CONTROL, NOPHOOK_CONTROL_CPU, w->cpu));
  }
  if (event.frame) {
    if (!in_window(w, event.frame)) {
      move_base(w, event.frame);
      put_with_payload(w, word(NOPHOOK_EVENT_CONTROL, NOPHOOK_CONTROL_STACK, 0), w->sp_base);
    }
    signature = with_sp(w, signature, event.frame);
  }
  uint64_t now = clock_now(buffer.clock);
  if (!in_time(w, now)) {
    w->time_base = now;
    put_with_payload(w, word(NOPHOOK_EVENT_CONTROL, NOPHOOK_CONTROL_TIME, 0), now);
  }
  put_time_off(w, now - w->time_base, off);
  put_at(w->pos, word(event.kind, 0, signature) | (now - w->time_base), event);
  w->pos += 8 + 8 * payload_words(event);
  uint64_t limit = w->subbuf + backed_bytes(buffer, w->index) - kLimitSlackBytes;
  __atomic_store_n(&w->limit, limit, __ATOMIC_SEQ_CST);
  if (!__atomic_load_n(&buffer.tracing, __ATOMIC_SEQ_CST) ||       // pairs with buffer_stop()
      __atomic_load_n(&buffer.header->paused, __ATOMIC_SEQ_CST) || // and with buffer_switch_off()
      is_beyond(buffer, w))                                        // and with buffer_resize()
    __atomic_store_n(&w->limit, 0, __ATOMIC_RELAXED);
  return signature;
}

// Whether events are paused. It takes no system call, since each event asks: only the process's own
// header, which stays. The limit sends the fast paths here until it is over. `stop` is a pause that
// the next reader ends.
bool is_paused(const Buffer &buffer) {
  if (__atomic_load_n(&buffer.process->owner, __ATOMIC_ACQUIRE) <= 0)
    return false;
  // Loaded only now: before, the header is the parent's, which another thread unmaps. Null: there
  // is none.
  const nophook_buffer *header = __atomic_load_n(&buffer.header, __ATOMIC_RELAXED);
  if (!header || !(__atomic_load_n(&header->paused, __ATOMIC_RELAXED) |
                   __atomic_load_n(&header->stop, __ATOMIC_RELAXED)))
    return false;
  Writer *w = find_writer(buffer);
  if (w->owned)
    __atomic_store_n(&w->limit, 0, __ATOMIC_RELAXED);
  return true;
}

// Whether an event is lost without another look for room; then `events` of them are counted. The
// thread has found no room, and nothing has become free since. Now and then it looks all the same
// (nophook/buffer.h). Only the thread itself counts there, so that takes no lock prefix.
inline bool is_lost_at_once(const Buffer &buffer, const Writer *w, uint64_t events) {
  constexpr uint64_t kBetweenLooks = 1024, kMostAtOnce = 2;
  if (!w->full_at) // the value of a writer without an owner
    return false;
  const nophook_buffer *header = buffer.header;
  nophook_ring *ring = &buffer.rings[w->ring];
  if (w->full_at != __atomic_load_n(&header->freed, __ATOMIC_ACQUIRE) + 1 ||
      ring->clears != __atomic_load_n(&header->clears, __ATOMIC_ACQUIRE) ||
      __atomic_load_n(&ring->lost, __ATOMIC_RELAXED) % kBetweenLooks < kMostAtOnce ||
      (__atomic_load_n(&header->paused, __ATOMIC_RELAXED) |
       __atomic_load_n(&header->stop, __ATOMIC_RELAXED)) ||
      !__atomic_load_n(&buffer.tracing, __ATOMIC_RELAXED))
    return false;
  add_own(&ring->lost, events);
  return true;
}

// Calls append() with all signals blocked; no other code here blocks them.
uint64_t attempt(Buffer &buffer, const NewEvent &event, bool *waits) {
  bool may_wait = *waits;
  *waits = false;
  const uint64_t events = nophook_is_counted(word(event.kind, 0, event.signature));
  if (is_lost_at_once(buffer, find_writer(buffer), events) ||
      !__atomic_load_n(&buffer.tracing, __ATOMIC_ACQUIRE) || is_paused(buffer))
    return event.signature;
  BlockSignals block;
  if (!buffer_ready(buffer)) { // a fork child has its buffer only now
    count_lost_of_child(buffer, word(event.kind, 0, event.signature));
    return event.signature;
  }
  if (is_paused(buffer))
    return event.signature;
  if (Writer *w = own_writer(buffer)) {
    *waits = may_wait && !block.some_were_blocked();
    return append(buffer, w, event, waits);
  }
  __atomic_fetch_add(&buffer.header->lost, nophook_is_counted(word(event.kind, 0, event.signature)),
                     __ATOMIC_RELAXED);
  return event.signature;
}

// Waits for the reader between two attempts: signals are delivered then, and their handlers may
// write here, end the process or jump away.
__attribute__((noinline)) uint64_t write_slowly(Buffer &buffer, const NewEvent &event) {
  constexpr uint64_t kStep[2] = {0, 200000};
  bool may_wait = true;
  for (uint64_t end = 0;;) {
    bool waits = may_wait;
    uint64_t signature = attempt(buffer, event, &waits);
    if (!waits)
      return signature;
    sys(SYS_nanosleep, kStep, nullptr);
    uint64_t now = now_ms();
    end = end ? end : now + buffer.wait_ms;
    if (now >= end) {
      __atomic_store_n(&buffer.gave_up_waiting, 1, __ATOMIC_RELAXED);
      may_wait = false;
    }
  }
}

} // namespace

uint32_t current_cpu() {
  uint32_t cpu = rseq_cpu();
  if ((int32_t)cpu < 0 && (has_few_calls() || sys_failed(sys(SYS_getcpu, &cpu, nullptr, nullptr))))
    cpu = NOPHOOK_CPU_UNKNOWN;
  return cpu;
}

// Writes as trampolines.S does, except that a compare-and-exchange takes the slot: no slot needs to
// be padded after a handler that was faster, however many words it has.
__attribute__((always_inline)) static inline uint64_t write_with(Writer *w, Buffer &buffer,
                                                                 const NewEvent &event) {
  uint64_t pos = __atomic_load_n(&w->pos, __ATOMIC_RELAXED);
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  uint64_t bytes = 8 + 8 * payload_words(event);
  if (has_watched_change(w) || pos + bytes > __atomic_load_n(&w->limit, __ATOMIC_RELAXED) ||
      (event.frame && !in_window(w, event.frame)))
    return write_slowly(buffer, event);
  uint64_t now = clock_now(buffer.clock);
  if (!in_time(w, now))
    return write_slowly(buffer, event);
  uint64_t signature = event.frame ? with_sp(w, event.signature, event.frame) : event.signature;
  uint64_t first = word(event.kind, 0, signature) | (now - w->time_base);
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  if (!exchange_own(&w->pos, pos, pos + bytes))
    return write_slowly(buffer, event);
  put_at(pos, first, event);
  return signature;
}

// Writes with the counter of events as the clock, whose ticks never force a look at `paused`.
__attribute__((noinline)) static uint64_t write_counted(Buffer &buffer, const NewEvent &event) {
  return is_paused(buffer) ? event.signature : write_with(find_writer(buffer), buffer, event);
}

uint64_t write_event(const NewEvent &event) {
  if (clock_kind(g_buffer.clock) == NOPHOOK_CLOCK_COUNTER)
    return write_counted(g_buffer, event);
  return write_with(nophook_writer, g_buffer, event);
}

__attribute__((noinline)) static uint64_t write_to_instance(Buffer &buffer, const NewEvent &event) {
  if (clock_kind(buffer.clock) == NOPHOOK_CLOCK_COUNTER)
    return write_counted(buffer, event);
  return write_with(find_writer(buffer), buffer, event);
}

// Two jumps, so that the stack frame of a write to an instance is not paid for by the top level.
uint64_t write_event(Buffer &buffer, const NewEvent &event) {
  return buffer.number ? write_to_instance(buffer, event) : write_event(event);
}

__attribute__((noinline)) uint64_t write_slow_event(Buffer &buffer, uint32_t kind,
                                                    uint64_t signature, uint64_t frame,
                                                    uint64_t parent) {
  if (is_lost_at_once(buffer, find_writer(buffer), 1))
    return signature;
  return write_slowly(buffer, {kind, signature, frame, parent, nullptr, 0});
}

// For function_graph alone, and for a thread that has written here: a fork child's has not.
void write_end(Buffer &buffer, uint32_t why) {
  if (!buffer.process || !buffer_is_own(buffer) || buffer.tracer.form != NOPHOOK_FORM_GRAPH ||
      !find_writer(buffer)->owned)
    return;
  uint64_t what = (uint64_t)NOPHOOK_CONTROL_END << NOPHOOK_ID_SHIFT;
  uint64_t reason = (uint64_t)why << NOPHOOK_SP_SHIFT;
  write_event(buffer, {NOPHOOK_EVENT_CONTROL, what | reason, 0, 0, nullptr, 0});
}

// For function_graph alone, since only its calls have frames.
void write_fiber(Buffer &buffer, uint64_t low, uint64_t bytes) {
  if (!buffer.process || !buffer_is_own(buffer) || buffer.tracer.form != NOPHOOK_FORM_GRAPH)
    return;
  uint8_t values[2 * kLebBytes];
  const uint8_t *end = put_uleb(put_uleb(values, low), bytes);
  write_kind(buffer, NOPHOOK_CONTROL_FIBER, values, (uint32_t)(end - values));
}

uint64_t write_kind(Buffer &buffer, nophook_control kind, const uint8_t *values, uint32_t bytes) {
  const uint64_t signature = (uint64_t)kind << NOPHOOK_ID_SHIFT;
  return write_event(buffer, {NOPHOOK_EVENT_CONTROL, signature, 0, 0, values, bytes});
}

static_assert(SIGNATURE_LOST < 1 << NOPHOOK_DT_BITS, "no part of a signature");

extern "C" uint64_t nophook_event_slow(uint32_t kind, uint64_t signature, uint64_t frame,
                                       uint64_t parent) {
  if (kind == NOPHOOK_EVENT_ENTRY && is_lost_at_once(g_buffer, nophook_writer, 2))
    return signature | SIGNATURE_LOST;
  return write_slow_event(g_buffer, kind, signature, frame, parent);
}

} // namespace nophook
