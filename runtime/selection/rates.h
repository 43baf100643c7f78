// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Limits on the number of a function's recorded calls: our own additions to set_ftrace_filter,
//
//      GLOB:sample:N         one of N calls
//      GLOB:ratelimit:N/s    N calls in each second
//
// and auto_notrace=RATE: a function that is called more than RATE times in a second is no longer
// recorded, which the log reports.

#pragma once

#include "base/status.h"

#include <stdint.h>

namespace nophook {

// One rule for the functions that match; a later one of a function holds beside the earlier ones.
// Errors: EINVAL, ENOMEM, ENOSPC (too many rules).
Status add_sample(const char *glob, uint64_t bytes, uint64_t every);
Status add_rate_limit(const char *glob, uint64_t bytes, uint64_t per_second);
Status set_auto_notrace(uint64_t calls_per_second); // 0: off
uint64_t auto_notrace();
// Takes such rules of this very text away. False: there is none.
bool remove_rates(const char *glob, uint64_t bytes, bool is_sample);

bool has_rates();
void report_rate_misses(); // of patterns that no function matches
Status rates_follow_modules();
// Before a tracer starts. Errors: ENOMEM.
Status prepare_rates();

// In callbacks, once for each call of the function.
bool rate_allows(uint32_t id);

} // namespace nophook
