// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// perf_counters: by how much a thread's counters grow during a call, kept with function_graph's
// exit.
//
// The names are perf's. Software events are read as the numbers that they count, from the thread's
// resource usage and its CPU clock: perf events of them could be read by system calls on
// descriptors only, one for each thread in the program's own table, where the program may close it
// and open something else. Hardware's need none (capture/hardware_counters.h).

#pragma once

#include "base/bytes.h"
#include "base/status.h"

#include <nophook/settings.h>

#include <nophook/buffer.h>

namespace nophook {

// Reads names separated by commas, or none, and sets a bit for each NOPHOOK_COUNTER_, from bit 0
// on. Under the runtime's lock. Errors: EINVAL, ENOSPC (more than kMostCounters), and those of
// check_hardware_counters().
Status read_perf_counters(const char *text, uint64_t bytes, uint32_t *which);
void show_perf_counters(uint32_t which, Text<4096> &text);

constexpr uint32_t kMostCounters = NOPHOOK_MOST_COUNTERS;

// The values of the chosen counters, in the order of their bits.
struct CounterValues {
  uint32_t known; // set of the counters that have values, a bit for each
  int32_t tid;    // thread whose counters they are
  uint64_t of[kMostCounters];
};

// Chooses the counters for callbacks of a trace_array, before the first one counts.
void choose_counters(uint32_t array, uint32_t which);

// Reads the counters of the calling thread. In callbacks of `array`.
void read_counters(uint32_t array, uint32_t which, CounterValues *values);

// Replaces each of `values` by its growth since then. A call that ends in another thread than it
// began in, a fork child's or a fiber's, has no growth.
void read_growth(uint32_t array, uint32_t which, CounterValues *values);

constexpr uint32_t kMostCounterBytes = 2 + kMostCounters * 11;
// Puts NOPHOOK_VALUES_COUNTERS and the growth at `at`; returns the end.
uint8_t *put_counters(uint8_t *at, uint32_t which, const CounterValues &growth);

} // namespace nophook
