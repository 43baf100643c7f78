// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Limits on the number of a function's recorded calls: our own additions to set_ftrace_filter,
//
//      GLOB:sample:N         one of N calls
//      GLOB:ratelimit:N/s    N calls in each second
//
// and auto_notrace=RATE: a function that is called more than RATE times in a second is no longer
// recorded, which the log reports.
//
// There is a counter for each function and rule, and one of auto_notrace for each function. It has
// 8 bytes, half of them for the window of time that the count belongs to; samples have no window.
// All threads share the counters.

#pragma once

#include "base/status.h"
#include "selection/published_filter.h"

#include <stdint.h>

namespace nophook {

constexpr uint32_t kMaxRateRules = 16;

// Counters by function id. They are mapped for functions that exist, 4096 at a time: a mapping for
// all ids that there may be, 32 MiB a rule, is filled at once by a program that locks its memory
// (mlockall), and counts against its limit (ulimit -l).
class RateCounters {
public:
  // Reserves counters for all present functions. Under the runtime's lock. Errors: ENOMEM.
  Status reserve();
  // Releases all of them; no callback reads them. Under the lock.
  void release();

  // The counter of a function, in callbacks. Null: none has been reserved.
  uint64_t *of(uint32_t id) const;
  bool any() const { return __atomic_load_n(&chunks_, __ATOMIC_RELAXED); }

private:
  // Chunks are added under the runtime's lock. Release and acquire, in pairs: a callback finds the
  // table and the chunk whole, or none.
  uint64_t **chunks_;
};

// The rates of one trace_array. All but allows() is under the runtime's lock.
class Rates {
public:
  // Adds a rule for the functions that match; a later rule of a function holds beside the earlier
  // ones. Errors: EINVAL, ENOMEM, ENOSPC (too many rules).
  Status add_sample(const char *glob, uint64_t bytes, uint64_t every);
  Status add_rate_limit(const char *glob, uint64_t bytes, uint64_t per_second);
  // Removes rules of this very text. False: there is none.
  bool remove(const char *glob, uint64_t bytes, bool is_sample);

  // Sets auto_notrace; 0: off. Muted functions stay so. Errors: EINVAL, ENOMEM.
  Status set_auto_notrace(uint64_t calls_per_second);
  uint64_t auto_notrace() const { return most_; }

  // Sets the instance that the rates belong to, for the log; null: the top level.
  void belong_to(const char *instance) { instance_ = instance; }
  bool any() const;
  void report_misses(const char *folder); // logs patterns that no function matches
  Status follow_modules();
  // Resets everything; no callback reads the rates. Errors: ENOMEM.
  Status clear();

  // Whether this call of the function is recorded; called once for each call. In callbacks.
  bool allows(uint32_t id) const;

private:
  struct Rule {
    PublishedFilter filter;
    char text[256];
    uint64_t every;      // N of sample:N, or 0
    uint64_t per_second; // N of ratelimit:N, or 0
    RateCounters counters;
  };

  Status add(const char *glob, uint64_t bytes, uint64_t every, uint64_t per_second);
  static bool allows(const Rule &rule, uint32_t id, uint64_t now);
  bool is_muted(uint32_t id, uint64_t now) const;

  const char *instance_;
  Rule rules_[kMaxRateRules];
  uint32_t rule_count_;
  uint64_t most_; // calls in a second that auto_notrace allows
  RateCounters calls_;
};

} // namespace nophook
