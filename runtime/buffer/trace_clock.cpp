// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the clocks, and measures the speed of the time-stamp counter when a setting in microseconds
// needs it.

#include "buffer/trace_clock.h"

#include "base/bytes.h"
#include "base/fork_page.h"
#include "base/syscall.h"
#include "buffer/trace_buffer.h"

#include <errno.h>
#include <sys/prctl.h>
#include <time.h>

namespace nophook {

namespace {

constexpr uint64_t kNsPerSecond = 1000000000, kNsPerMs = 1000000;
constexpr long kMonotonic = CLOCK_MONOTONIC, kMonotonicRaw = CLOCK_MONOTONIC_RAW,
               kBootTime = CLOCK_BOOTTIME;

bool g_is_chosen = false;
uint64_t g_events = 0;
// The most ticks that a good reading of both clocks takes; 0: not known.
NOPHOOK_WITH_FORK uint64_t g_short_reading = 0;
uint64_t g_ticks_per_ms = 0; // ticks of the time-stamp counter in a millisecond, once measured

uint64_t read_ns(long clock) {
  uint64_t now[2] = {};
  sys(SYS_clock_gettime, clock, now); // cannot fail for a clock that the kernel has
  return now[0] * kNsPerSecond + now[1];
}

// Measures the counter against the clock over 2 ms.
void measure_counter() {
  Instant begin = read_both_clocks(), end = begin;
  while (end.ns - begin.ns < 2000000)
    end = read_both_clocks();
  g_ticks_per_ms = (end.tsc - begin.tsc) * kNsPerMs / (end.ns - begin.ns);
}

} // namespace

Status may_read_counter() {
  int right = 0;
  sys(SYS_prctl, PR_GET_TSC, &right);
  if (right == PR_TSC_SIGSEGV)
    return failure(EPERM, "the program has forbidden the CPU's counter (PR_SET_TSC), which times "
                          "are read from");
  return {};
}

uint64_t monotonic_ns() {
  return read_ns(kMonotonic);
}

uint64_t thread_cpu_ns() {
  return read_ns(CLOCK_THREAD_CPUTIME_ID);
}

uint64_t realtime_ns() {
  return read_ns(CLOCK_REALTIME);
}

// The shortest of 8 readings is the most exact one. A fork child, which knows how short its
// parent's was, is content with one that took at most a quarter longer.
Instant read_both_clocks() {
  Instant best = {};
  uint64_t shortest = ~uint64_t{0};
  for (int i = 0; i < 8 && (!i || shortest > g_short_reading); i++) {
    uint64_t before = read_tsc(), ns = monotonic_ns(), took = read_tsc() - before;
    if (took < shortest)
      best = {before + took / 2, ns};
    shortest = took < shortest ? took : shortest;
  }
  if (uint64_t most = shortest + shortest / 4; !g_short_reading || most < g_short_reading)
    g_short_reading = most;
  return best;
}

const ClockName *find_clock(const char *name, uint64_t bytes) {
  for (const ClockName &clock : kClockNames)
    if (is_text(name, bytes, clock.name))
      return &clock;
  return nullptr;
}

uint32_t stamp_of(const ClockName &name) {
  return name.clock == NOPHOOK_CLOCK_MONO ? default_clock(tsc_is_invariant()) : name.clock;
}

Status set_clock(const char *name, uint64_t bytes) {
  const ClockName *found = find_clock(name, bytes);
  if (!found)
    return failure(EINVAL, "the clocks are x86-tsc, mono, global, local, mono_raw, boot, counter");
  g_buffer.clock.kind = stamp_of(*found);
  g_buffer.clock_name = found;
  g_is_chosen = true;
  return {};
}

void choose_clock() {
  if (!g_is_chosen)
    g_buffer.clock.kind = default_clock(tsc_is_invariant());
  g_is_chosen = true;
}

// Reads a clock without a `switch`: the search for all code that an event reaches could not follow
// a table of jumps.
static uint64_t read_kind(uint32_t kind, bool next) {
  if (kind == NOPHOOK_CLOCK_TSC)
    return read_tsc();
  if (kind == NOPHOOK_CLOCK_COUNTER)
    return next ? __atomic_add_fetch(&g_events, 1, __ATOMIC_RELAXED)
                : __atomic_load_n(&g_events, __ATOMIC_RELAXED);
  return read_ns(kind == NOPHOOK_CLOCK_MONO_RAW ? kMonotonicRaw
                 : kind == NOPHOOK_CLOCK_BOOT   ? kBootTime
                                                : kMonotonic);
}

uint64_t read_other_clock(const Clock &clock, uint32_t kind, bool next) {
  return read_kind(kind, next) + __atomic_load_n(&clock.base[kind], __ATOMIC_RELAXED);
}

Status follow_clock(Clock *clock, const ClockName &name) {
  uint32_t kind = stamp_of(name);
  uint64_t before = clock_peek(*clock) + 1, now = read_kind(kind, false);
  if (kind == NOPHOOK_CLOCK_TSC && now < before) {
    if (name.clock == NOPHOOK_CLOCK_TSC)
      return failure(EBUSY, "the time-stamp counter is behind the times that are in the buffer");
    kind = name.clock;
    now = read_kind(kind, false);
  }
  if (kind != NOPHOOK_CLOCK_TSC)
    __atomic_store_n(&clock->base[kind], before - now, __ATOMIC_RELAXED);
  __atomic_store_n(&clock->kind, kind, __ATOMIC_RELEASE);
  return {};
}

uint64_t ticks_of_ns(const Clock &clock, uint64_t ns) {
  return clock.kind == NOPHOOK_CLOCK_TSC ? tsc_ticks_of_ns(ns) : ns;
}

uint64_t tsc_ticks_of_ns(uint64_t ns) {
  if (!g_ticks_per_ms)
    measure_counter();
  return ns / kNsPerMs * g_ticks_per_ms + ns % kNsPerMs * g_ticks_per_ms / kNsPerMs;
}

uint64_t ns_of_tsc_ticks(uint64_t ticks) {
  if (!g_ticks_per_ms)
    measure_counter();
  return ticks / g_ticks_per_ms * kNsPerMs + ticks % g_ticks_per_ms * kNsPerMs / g_ticks_per_ms;
}

} // namespace nophook
