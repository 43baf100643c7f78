// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rules that select which of a tracer's calls are recorded: by thread, by CPU, by depth, by the
// functions around them, by duration, and by the number of one function's calls.
//
// The fast paths know nothing of rules. While a trace_array has one, its tracer's sites lead to
// callbacks (tracers/callbacks.h), which call this. Rules are changed under the runtime's lock
// while callbacks read them: a callback reads one word, or a set that is replaced as a whole.

#pragma once

#include "base/bytes.h"
#include "base/status.h"
#include "buffer/trace_clock.h"
#include "selection/cpu_mask.h"
#include "selection/pid_list.h"
#include "selection/published_filter.h"
#include "selection/rates.h"

#include <nophook/settings.h>

namespace nophook {

constexpr uint32_t kMaxGraphDepth = NOPHOOK_MOST_GRAPH_DEPTH;
constexpr uint64_t kMaxThreshUs = NOPHOOK_MOST_THRESH_US; // an hour

class Rules {
public:
  static constexpr uint32_t kHasRules = uint32_t{1} << 31;

  // Whether there are rules. In callbacks. Relaxed loads: a call that is judged by the old rule
  // while the rule changes has come before the change.
  bool any() const { return beyond_plain() & kHasRules; }
  // The conditions that make more of a call than the event that the assembly would write: a rule,
  // and the bits that the array has set. One word, because each call reads it.
  uint32_t beyond_plain() const { return __atomic_load_n(&beyond_plain_, __ATOMIC_RELAXED); }
  // Whether a rule needs to know which calls are open.
  bool in_graph() const { return __atomic_load_n(&in_graph_, __ATOMIC_RELAXED); }
  uint32_t max_depth() const { return __atomic_load_n(&max_depth_, __ATOMIC_RELAXED); }
  uint64_t thresh_ticks() const { return __atomic_load_n(&thresh_ticks_, __ATOMIC_RELAXED); }
  // Whether this call of the function `id`, which it counts, is recorded as far as thread, CPU and
  // rates are concerned.
  bool wants(uint32_t id) const {
    return !any() || (!rates_.has_muted(id) && is_wanted_here() && rates_.allows(id));
  }

  // The functions below are under the runtime's lock. Names and texts are those of the kernel's
  // files. Errors: EINVAL, ENOMEM, ENOSPC; nothing has changed then.
  Status set_max_depth(uint64_t depth);
  Status set_thresh_us(uint64_t us);
  Status set_pids(PidFilter which, const char *text, uint64_t bytes, PidList::How how);
  Status set_cpus(const char *text, uint64_t bytes);
  Status set_auto_notrace(uint64_t calls_per_second);
  void set_function_fork(bool on); // whether children are selected as their parents are

  uint64_t thresh_us() const { return thresh_us_; }
  ChosenThreads &threads() { return threads_; }
  const CpuMask &cpus() const { return cpus_; }
  uint64_t auto_notrace() const { return rates_.auto_notrace(); }
  Rates &rates() { return rates_; } // call count() after a change

  void belong_to_instance(uint32_t array, const char *name);
  // Computes the threshold in ticks of the array's clock, before a tracer starts.
  void use_clock(const Clock &clock);
  void count();                           // renews any() and in_graph(), after a change
  void set_beyond_plain(uint32_t others); // sets all bits but kHasRules
  // Whether a setting other than tracing_thresh, which the profiler follows, chooses calls.
  bool has_beside_thresh() const;
  Status follow_modules(); // to be called when a library has come
  void report_misses(const char *folder);
  // Resets all rules; no callback reads them. Errors: ENOMEM.
  Status clear();

  PublishedFilter roots;  // set_graph_function
  PublishedFilter hidden; // set_graph_notrace

private:
  // Whether calls of this thread on this CPU are wanted now.
  bool is_wanted_here() const { return !(cpus_.is_set() || threads_.is_set()) || is_chosen_here(); }
  bool is_chosen_here() const;

  uint32_t array_;
  uint32_t beyond_plain_, in_graph_, max_depth_;
  uint64_t thresh_ticks_, thresh_us_;
  // A verdict on a thread is kept with it (capture/tracer_thread.h). One of an older epoch does not
  // count, so a list may be read while it is written.
  ChosenThreads threads_;
  uint32_t epoch_;
  bool function_fork_;
  CpuMask cpus_;
  Rates rates_;
};

} // namespace nophook
