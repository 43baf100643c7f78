// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The CPU's counters of each thread, in user space: perf events without samples, read without
// a system call from the page that the kernel keeps for each (perf_event_open(2), cap_user_rdpmc).
//
// An event lives as long as its page is mapped, so no descriptor of it stays in the program's
// table. A thread's events for one trace_array are one pinned group: they count all the time, or
// not at all. Each array has groups of its own, which the CPU has room for or not. The page is not
// copied by fork: a child opens its own.

#pragma once

#include "base/status.h"

#include <stdint.h>

struct perf_event_mmap_page;

namespace nophook {

constexpr uint32_t kHardwareCounters = 10; // number of configs of perf_event_attr

constexpr uint32_t kMostHardware = 8; // the most counters at once; few CPUs have more

// The counters of a thread for one array, in memory that is zeroed in a fork child.
struct HardwareCounters {
  uint32_t choice; // number of the choice that `pages` belong to; 0: none
  const perf_event_mmap_page *pages[kMostHardware];
};

// Checks that this machine counts those of `which`, a bit for each config, all at once. Errors:
// ENODEV, EACCES, ENOSPC (too many for the CPU), and those of perf_event_open(2).
Status check_hardware_counters(uint32_t which);

// Chooses the counters for `array`, from each thread's next reading on; called before the first
// callback that reads.
void choose_hardware_counters(uint32_t array, uint32_t which);

// Reads the calling thread's counters: stores the values of those that count into `values`, in the
// order of their bits, and returns which these are. In callbacks.
uint32_t read_hardware_counters(uint32_t array, uint64_t *values);

// Closes the counters of a thread that is gone, or when no callback reads them any more. Any
// thread.
void close_hardware_counters(HardwareCounters *counters);

} // namespace nophook
