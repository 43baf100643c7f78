// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads a thread's two clocks when its mark is gone. The order is mark first, clocks second: a
// switch between the two is then noticed by the next event, and one in the middle of the reading by
// the reading itself, which begins again.

#include "buffer/off_cpu.h"

#include "base/leb.h"
#include "base/rseq.h"
#include "base/syscall.h"
#include "buffer/event_words.h"
#include "buffer/trace_clock.h"

#include <errno.h>

namespace nophook {
namespace {

bool g_off_cpu = false;

// Another user of the area, such as tcmalloc, leaves its own value there, and each event behind it
// reads the clocks, which take 0.5 us. The thread is given up when kMostForeign more of
// them came sooner than this than came later: it has lost at most 1 percent of its time.
constexpr uint32_t kMostForeign = 64, kGivenUp = ~0u;
constexpr uint64_t kSoonNs = 50000;

// Whether the thread looks for the mark. An instance's writer cannot: the first one that finds the
// mark gone puts it back.
bool is_followed(const Buffer &buffer, const Writer *w) {
  return __atomic_load_n(&g_off_cpu, __ATOMIC_RELAXED) && !buffer.number &&
         w->clocks.foreign != kGivenUp && clock_kind(buffer.clock) != NOPHOOK_CLOCK_COUNTER;
}

void watch_cpu(Writer *w) {
  w->watch = nophook_cpu_offset;
  w->watched = rseq_cpu();
}

// Reads both clocks at an instant; the thread keeps its CPU in between, unless it never does.
// Returns whether the mark was gone at any time: storing it again hides that.
bool read_clocks(const Buffer &buffer, volatile uint64_t *mark, RunClocks *clocks) {
  constexpr int kTries = 4;
  bool was_gone = false;
  for (int i = 0; i < kTries; i++) {
    if (*mark != rseq_mark()) {
      was_gone = true;
      *mark = rseq_mark();
    }
    const uint64_t before = clock_peek(buffer.clock);
    clocks->cpu_ns = thread_cpu_ns();
    clocks->ticks = before + (clock_peek(buffer.clock) - before) / 2;
    if (*mark == rseq_mark())
      break;
  }
  return was_gone;
}

// Whether the other user of the area comes too often.
bool is_too_often(Writer *w, uint64_t found, uint64_t cpu_ns) {
  if (!found || found == rseq_mark())
    return false;
  if (cpu_ns < kSoonNs)
    w->clocks.foreign++;
  else if (w->clocks.foreign)
    w->clocks.foreign--;
  return w->clocks.foreign > kMostForeign;
}

// The reading in front of an event; `found`: the mark's value before it.
TimeOff read_time_off(const Buffer &buffer, Writer *w, volatile uint64_t *mark, uint64_t found) {
  const RunClocks last = w->clocks;
  const bool was_gone = read_clocks(buffer, mark, &w->clocks);
  const RunClocks &now = w->clocks;
  TimeOff off;
  if (last.ticks && now.cpu_ns < last.cpu_ns) { // a child of vfork, in its parent's memory
    w->clocks = last;
    return off;
  }
  if (!last.ticks || now.ticks <= last.ticks)
    return off;
  if (was_gone) {
    off.ticks = now.ticks - last.ticks;
    off.cpu_ns = now.cpu_ns - last.cpu_ns;
  }
  if (is_too_often(w, found, now.cpu_ns - last.cpu_ns)) {
    off.ends = true;
    w->clocks.foreign = kGivenUp;
  }
  return off;
}

// Whether this kernel takes the mark from a thread that sleeps. One time could be a preemption, so
// it takes two. A sleep that is over before the thread has left its CPU shows nothing: a thread
// with real-time priority, or a virtual CPU that was stolen. So each one is longer.
bool kernel_shows_sleep() {
  constexpr uint64_t kShortest = 20000; // ns
  constexpr int kMostSleeps = 8;
  volatile uint64_t *mark = rseq_cs();
  int shown = 0;
  for (int i = 0; i < kMostSleeps && shown < 2; i++) {
    const uint64_t time[2] = {0, kShortest << i};
    *mark = rseq_mark();
    sys(SYS_nanosleep, time, nullptr);
    shown += *mark != rseq_mark();
  }
  return shown == 2;
}

} // namespace

Status set_off_cpu(uint64_t on) {
  if (on > 1)
    return failure(EINVAL, "the value must be 0 or 1");
  if (on && !rseq_cpu_offset())
    return failure(ENODEV, "time off the CPU is noticed by the rseq area of each thread, and libc "
                           "registers none (glibc does from 2.35 on, unless glibc.pthread.rseq=0)");
  if (on && !off_cpu_is_on() && !kernel_shows_sleep())
    return failure(ENOTSUP, "this kernel does not show in a thread's rseq area that it has slept "
                            "(Linux 6.19 and later)");
  __atomic_store_n(&g_off_cpu, on == 1, __ATOMIC_RELAXED);
  if (buffer_is_open())
    end_fast_paths(g_buffer); // each thread looks again
  return {};
}

bool off_cpu_is_on() {
  return __atomic_load_n(&g_off_cpu, __ATOMIC_RELAXED);
}

TimeOff follow_thread(const Buffer &buffer, Writer *w, bool reads) {
  TimeOff off;
  if (is_followed(buffer, w)) {
    volatile uint64_t *mark = rseq_cs();
    const uint64_t found = *mark;
    if (found != rseq_mark() || !w->clocks.ticks || reads)
      off = read_time_off(buffer, w, mark, found);
    w->watch = rseq_cs_offset();
    w->watched = (uint32_t)rseq_mark();
  } else {
    w->clocks.ticks = 0;
    watch_cpu(w);
  }
  if (w->clocks.foreign == kGivenUp)
    watch_cpu(w);
  off.cpu = rseq_cpu();
  return off;
}

void put_time_off(Writer *w, uint64_t dt, const TimeOff &off) {
  auto put_kind = [&](nophook_control kind, const uint8_t *values, uint32_t bytes) {
    const NewEvent event = {NOPHOOK_EVENT_CONTROL, 0, 0, 0, values, bytes};
    put_at(w->pos, word(NOPHOOK_EVENT_CONTROL, kind, dt), event);
    w->pos += 8 + 8 * payload_words(event);
  };
  uint8_t values[kTimeOffBytes / 2];
  if (off.ticks) {
    const uint8_t *end = put_uleb(put_uleb(values, off.ticks), off.cpu_ns);
    put_kind(NOPHOOK_CONTROL_OFF_CPU, values, (uint32_t)(end - values));
  }
  if (off.ends) {
    constexpr char kReason[] = "the program uses rseq, too";
    constexpr uint32_t kBytes = sizeof kReason - 1;
    copy_bytes(put_uleb(values, kBytes), kReason, kBytes);
    put_kind(NOPHOOK_CONTROL_OFF_CPU_ENDS, values, kBytes + 1);
  }
}

} // namespace nophook
