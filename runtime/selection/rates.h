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
// Counters (selection/call_counters.h) are of all threads: one for each function and rule, and one
// of auto_notrace for each function. The site of a function that auto_notrace leaves out becomes a
// NOP again when tracers/muted.h is called, which no callback can do.

#pragma once

#include "base/status.h"
#include "selection/call_counters.h"
#include "selection/published_filter.h"

#include <stdint.h>

namespace nophook {

constexpr uint32_t kMaxRateRules = 16;

// The rates of one trace_array. All but allows() is under the runtime's lock.
class Rates {
public:
  // Adds a rule for the functions that match; a later rule of a function holds beside the earlier
  // ones. Errors: EINVAL, ENOMEM, ENOSPC (too many rules).
  Status add_sample(const char *glob, uint64_t bytes, uint64_t every);
  Status add_rate_limit(const char *glob, uint64_t bytes, uint64_t per_second);
  // Removes rules of this very text. False: there is none.
  bool remove(const char *glob, uint64_t bytes, bool is_sample);

  // 0: off. Functions that have been left out are recorded again. Errors: EINVAL, ENOMEM.
  Status set_auto_notrace(uint64_t calls_per_second);
  uint64_t auto_notrace() const { return most_; }

  // Sets the instance that the rates belong to, for the log; null: the top level.
  void belong_to(const char *instance) { instance_ = instance; }
  bool any() const;
  void report_misses(const char *folder); // logs patterns that no function matches
  Status follow_modules();
  // Resets everything; no callback reads the rates. Errors: ENOMEM.
  Status clear();

  // The functions that auto_notrace leaves out; null: none. Errors: ENOMEM.
  Status find_muted(FtraceHash **set) const;
  // Whether there are more of them than when it was asked last. Without the lock.
  bool take_news() { return __atomic_exchange_n(&has_new_muted_, false, __ATOMIC_ACQUIRE); }

  // In callbacks, once for each call of a function that auto_notrace does not leave out yet.
  bool allows(uint32_t id) const;
  // In callbacks: whether auto_notrace leaves the function out.
  bool has_muted(uint32_t id) const { return calls_.has_muted(id); }

private:
  struct Rule {
    PublishedFilter filter;
    char text[256];
    uint64_t every;      // or 0
    uint64_t per_second; // or 0
    CallCounters counters;
  };

  Status add(const char *glob, uint64_t bytes, uint64_t every, uint64_t per_second);
  static bool allows(const Rule &rule, uint32_t id);
  bool is_too_frequent(uint32_t id) const;

  const char *instance_;
  Rule rules_[kMaxRateRules];
  uint32_t rule_count_;
  uint64_t most_; // calls in a second for auto_notrace
  CallCounters calls_;
  mutable bool has_new_muted_; // set by callbacks
};

} // namespace nophook
