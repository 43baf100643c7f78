// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// perf_counters: by how much a thread's counters grow during a call, kept with function_graph's
// exit.
//
// The kernel's software events by perf's names. They are read as what they count, from the thread's
// resource usage and its CPU clock: a perf event would need a descriptor for each thread, in the
// program's own table, where the program may close it and open something else.

#pragma once

#include "base/bytes.h"
#include "base/status.h"

#include <nophook/buffer.h>

namespace nophook {

// Names separated by commas; none: nothing is counted. The next tracer that is started does so.
// Under the runtime's lock. Errors: EINVAL.
Status set_perf_counters(const char *text, uint64_t bytes);
void show_perf_counters(Text<4096> &text);

// Those that were chosen: a bit for each NOPHOOK_COUNTER_, from bit 0 on.
extern uint32_t g_perf_counters;

struct CounterValues {
  uint64_t
      of[NOPHOOK_COUNTERS + 1]; // by NOPHOOK_COUNTER_; of those that were not asked for: nothing
};

// Of the calling thread, now. In callbacks.
void read_counters(uint32_t which, CounterValues *values);

// And in the place of what they were, by how much they have grown since.
void read_growth(uint32_t which, CounterValues *values);

constexpr uint32_t kMostCounterBytes = 2 + NOPHOOK_COUNTERS * 11;
// NOPHOOK_VALUES_COUNTERS; returns the end.
uint8_t *put_counters(uint8_t *at, uint32_t which, const CounterValues &growth);

} // namespace nophook
