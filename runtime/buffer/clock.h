// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// trace_clock: what events are stamped with. The time-stamp counter is read by the fast paths
// themselves, at the cost of one instruction. Any other clock takes a system call (the vDSO may use
// vector registers), and the tracers then come to calls by the way of callbacks.
//
// The counter is no clock where the CPU does not promise that it runs evenly: then, unless somebody
// has asked for it by name, CLOCK_MONOTONIC is taken.

#pragma once

#include "arch/clock.h"
#include "base/status.h"

#include <nophook/buffer.h>

namespace nophook {

// NOPHOOK_CLOCK_; before the first event.
extern uint32_t g_clock;

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
const ClockName *find_clock(const char *name, uint64_t bytes); // or null

// By the kernel's name. Under the runtime's lock, while nothing is traced. Errors: EINVAL.
Status set_clock(const char *name, uint64_t bytes);

// The one to take if nobody has asked for one.
constexpr uint32_t default_clock(bool counter_is_invariant) {
  return counter_is_invariant ? NOPHOOK_CLOCK_TSC : NOPHOOK_CLOCK_MONO;
}
// Decides, once.
void choose_clock();

// Without libc, anywhere. `next`: for an event; else the counter of events stays where it is.
uint64_t read_other_clock(bool next);
inline uint64_t clock_now() {
  return g_clock == NOPHOOK_CLOCK_TSC ? read_tsc() : read_other_clock(true);
}
inline uint64_t clock_peek() {
  return g_clock == NOPHOOK_CLOCK_TSC ? read_tsc() : read_other_clock(false);
}

// Nanoseconds of CLOCK_MONOTONIC.
uint64_t monotonic_ns();

// How many ticks of the chosen clock `ns` are. The first time it takes 2 ms to find out how fast
// the time-stamp counter runs. Not in an event.
uint64_t ticks_of_ns(uint64_t ns);
// The same of the time-stamp counter, whatever the chosen clock is; and back.
uint64_t tsc_ticks_of_ns(uint64_t ns);
uint64_t ns_of_tsc_ticks(uint64_t ticks);

} // namespace nophook
