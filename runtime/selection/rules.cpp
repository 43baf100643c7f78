// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Changes of rules, and the verdict on a thread, which is kept until the lists change.

#include "selection/rules.h"

#include "base/limit_text.h"
#include "base/own_identity.h"
#include "buffer/trace_buffer.h"
#include "capture/tracer_thread.h"

#include <errno.h>

namespace nophook {

bool Rules::is_chosen_here() const {
  if (cpus_.is_set() && !cpus_.has(current_cpu()))
    return false;
  if (!threads_.is_set())
    return true;
  TracerThread *thread = tracer_thread();
  if (!thread)
    return false;
  // 0 is no epoch: it is that of a thread's record that has just been made. Pairs with set_pids().
  const uint32_t epoch = __atomic_load_n(&epoch_, __ATOMIC_ACQUIRE) + 1;
  ThreadVerdict verdict = thread_verdict(thread, array_);
  if (verdict.epoch == epoch && (function_fork_ || !verdict.is_parents))
    return verdict.is_chosen;
  verdict = {epoch, threads_.has(own_thread_id(), process_id()), false};
  keep_thread_verdict(thread, array_, verdict);
  return verdict.is_chosen;
}

void Rules::belong_to_instance(uint32_t array, const char *name) {
  array_ = array;
  rates_.belong_to(name);
}

void Rules::count() {
  bool in_graph = max_depth_ || roots.is_set() || hidden.is_set() || thresh_us_;
  bool any = in_graph || threads_.is_set() || cpus_.is_set() || rates_.any();
  __atomic_store_n(&in_graph_, in_graph, __ATOMIC_RELAXED);
  uint32_t others = beyond_plain_ & ~kHasRules;
  __atomic_store_n(&beyond_plain_, others | (any ? kHasRules : 0), __ATOMIC_RELAXED);
}

void Rules::set_beyond_plain(uint32_t others) {
  __atomic_store_n(&beyond_plain_, others | (beyond_plain_ & kHasRules), __ATOMIC_RELAXED);
}

bool Rules::has_beside_thresh() const {
  return max_depth_ || roots.is_set() || hidden.is_set() || threads_.is_set() || cpus_.is_set() ||
         rates_.any();
}

Status Rules::set_max_depth(uint64_t depth) {
  if (depth > kMaxGraphDepth)
    return failure(EINVAL, limit_text<"a depth is at most ", kMaxGraphDepth, "; 0 is no limit">);
  __atomic_store_n(&max_depth_, (uint32_t)depth, __ATOMIC_RELAXED);
  count();
  return {};
}

Status Rules::set_thresh_us(uint64_t us) {
  if (us > kMaxThreshUs)
    return failure(EINVAL, "a threshold is at most an hour");
  thresh_us_ = us;
  count();
  return {};
}

Status Rules::set_pids(PidFilter which, const char *text, uint64_t bytes, PidList::How how) {
  NOPHOOK_TRY(threads_.list(which).change(text, bytes, how));
  __atomic_store_n(&epoch_, epoch_ + 1, __ATOMIC_RELEASE); // pairs with is_wanted_here()
  count();
  return {};
}

Status Rules::set_cpus(const char *text, uint64_t bytes) {
  NOPHOOK_TRY(cpus_.set(text, bytes));
  count();
  return {};
}

Status Rules::set_auto_notrace(uint64_t calls_per_second) {
  NOPHOOK_TRY(rates_.set_auto_notrace(calls_per_second));
  count();
  return {};
}

void Rules::set_function_fork(bool on) {
  __atomic_store_n(&function_fork_, on, __ATOMIC_RELAXED);
}

void Rules::use_clock(const Clock &clock) {
  uint64_t ticks = thresh_us_ ? ticks_of_ns(clock, thresh_us_ * 1000) : 0;
  __atomic_store_n(&thresh_ticks_, ticks, __ATOMIC_RELAXED);
  count();
}

Status Rules::follow_modules() {
  NOPHOOK_TRY(roots.follow());
  NOPHOOK_TRY(hidden.follow());
  return rates_.follow_modules();
}

void Rules::report_misses(const char *folder) {
  roots.report_misses(folder, "set_graph_function");
  hidden.report_misses(folder, "set_graph_notrace");
  rates_.report_misses(folder);
}

Status Rules::clear() {
  if (roots.is_set())
    NOPHOOK_TRY(roots.change("", 0, true, ""));
  if (hidden.is_set())
    NOPHOOK_TRY(hidden.change("", 0, true, ""));
  NOPHOOK_TRY(rates_.clear());
  max_depth_ = 0;
  thresh_ticks_ = thresh_us_ = 0;
  threads_ = {};
  epoch_++; // verdicts that threads have kept belong to a former array
  function_fork_ = false;
  cpus_.clear();
  count();
  return {};
}

} // namespace nophook
