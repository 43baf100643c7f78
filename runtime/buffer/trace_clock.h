// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// trace_clock: the clock of the events. The time-stamp counter is read by the fast paths
// themselves, at the cost of one instruction. Readers show its ticks as times of CLOCK_MONOTONIC.
// So `mono` and `global` are the counter, too, if the CPU promises that it runs evenly. Any other
// clock takes a system call (the vDSO may use vector registers), and the tracers are then
// callbacks.
//
// If the CPU does not promise it, `mono` takes a system call, and is the clock unless a setting
// names another one.

#pragma once

#include "arch/clock.h"
#include "base/status.h"

#include <nophook/buffer.h>

namespace nophook {

// The clock of one buffer's events. The ticks of a clock that replaces another one continue from
// there, so that times in a ring never run backwards: its base is the number that is added. Each
// has a base of its own, so that a writer that has just read `kind` finds the base that belongs to
// it. The time-stamp counter's is 0: the fast paths add nothing.
constexpr uint32_t kClockKinds = NOPHOOK_CLOCK_COUNTER + 1;
struct Clock {
  uint32_t kind; // NOPHOOK_CLOCK_
  uint64_t base[kClockKinds];
};

// Whether the calling thread may read the time-stamp counter, which kills it otherwise. Threads
// have that right each for itself, and may give it up later (PR_SET_TSC, strict seccomp). Errors:
// EPERM.
Status may_read_counter();

// The kernel's names, in its order; some clocks have several, the last one is the plain one.
struct ClockName {
  const char *name;
  uint32_t clock;
};
inline constexpr ClockName kClockNames[] = {
    {"local", NOPHOOK_CLOCK_MONO_RAW},    {"global", NOPHOOK_CLOCK_MONO},
    {"counter", NOPHOOK_CLOCK_COUNTER},   {"mono", NOPHOOK_CLOCK_MONO},
    {"mono_raw", NOPHOOK_CLOCK_MONO_RAW}, {"boot", NOPHOOK_CLOCK_BOOT},
    {"x86-tsc", NOPHOOK_CLOCK_TSC},
};
const ClockName *find_clock(const char *name, uint64_t bytes); // the row of a name, or null
// The clock that stamps events for that name: the counter for CLOCK_MONOTONIC, if it runs evenly.
uint32_t stamp_of(const ClockName &name);

// Sets the clock of the main buffer, by the kernel's name. Under the runtime's lock, before there
// is a main buffer. Errors: EINVAL.
Status set_clock(const char *name, uint64_t bytes);

// The clock if no setting names one.
constexpr uint32_t default_clock(bool counter_is_invariant) {
  return counter_is_invariant ? NOPHOOK_CLOCK_TSC : NOPHOOK_CLOCK_MONO;
}
// Chooses the main buffer's clock, once.
void choose_clock();

// Reads a clock without libc, anywhere. `next`: for an event; otherwise the counter of events stays
// unchanged.
uint64_t read_other_clock(const Clock &clock, uint32_t kind, bool next);
inline uint32_t clock_kind(const Clock &clock) {
  return __atomic_load_n(&clock.kind, __ATOMIC_RELAXED);
}
inline uint64_t clock_now(const Clock &clock) {
  uint32_t kind = clock_kind(clock);
  return kind == NOPHOOK_CLOCK_TSC ? read_tsc() : read_other_clock(clock, kind, true);
}
inline uint64_t clock_peek(const Clock &clock) {
  uint32_t kind = clock_kind(clock);
  return kind == NOPHOOK_CLOCK_TSC ? read_tsc() : read_other_clock(clock, kind, false);
}

// Makes `name` the clock; its times continue from the old clock's. Under the runtime's lock. If the
// counter, which takes no base, is behind, `mono` takes system calls instead. Errors: EBUSY (it is
// behind, and `x86-tsc` is wanted).
Status follow_clock(Clock *clock, const ClockName &name);

// Nanoseconds of CLOCK_MONOTONIC.
uint64_t monotonic_ns();
uint64_t realtime_ns();   // since 1970
uint64_t thread_cpu_ns(); // CPU time of the calling thread

// One instant on both clocks. A pause of the thread between the two readings makes them two
// instants, so the tightest of a few is taken.
struct Instant {
  uint64_t tsc, ns;
};
Instant read_both_clocks();

// The number of ticks of the main buffer's clock in `ns`. The first call takes 2 ms to measure the
// speed of the time-stamp counter. Not in an event.
uint64_t ticks_of_ns(const Clock &clock, uint64_t ns);
// The same for the time-stamp counter, whatever the chosen clock is; and the reverse.
uint64_t tsc_ticks_of_ns(uint64_t ns);
uint64_t ns_of_tsc_ticks(uint64_t ticks);

} // namespace nophook
