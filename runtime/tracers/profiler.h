// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The function profiler: counts of calls and their times by function and thread, with no events.
// The counts are in a file (nophook/profile.h), so that they survive the process.

#pragma once

#include "base/memory.h"
#include "base/status.h"

#include <nophook/profile.h>

namespace nophook {

// Before the first site of the profiler is enabled; the buffer is open. Errors: ENOMEM, ENOSYS.
Status prepare_profile();

// No call that lasts less is counted. 0: all are.
void set_profile_thresh(uint64_t ticks);

// What has been counted so far, added up over the threads, by function id. Under the runtime's
// lock. Errors: ENOMEM.
Status sum_profile(Array<nophook_counts> *sums);
// Everything is 0 again; while the profiler is off.
void reset_profile();

} // namespace nophook
