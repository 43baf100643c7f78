// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tracers/rules.h"

#include "base/own_identity.h"
#include "base/syscall.h"
#include "buffer/buffer.h"
#include "buffer/clock.h"
#include "tracers/cpu_mask.h"
#include "tracers/profile.h"
#include "tracers/rates.h"
#include "tracers/thread.h"

#include <errno.h>

namespace nophook {

Rules g_rules;

namespace {

// Of threads. A verdict that was made of an older epoch does not count, so a list may be read while
// it is written.
ChosenThreads g_threads;
uint32_t g_epoch = 1;
bool g_function_fork = false;

CpuMask g_cpus;

uint64_t g_thresh_us = 0;

bool is_chosen(TracerThread *thread) {
  uint32_t epoch = __atomic_load_n(&g_epoch, __ATOMIC_ACQUIRE);
  if (thread->epoch == epoch)
    return thread->is_chosen;
  bool verdict;
  if (!g_function_fork || !inherited_verdict(epoch, &verdict)) {
    verdict = g_threads.has(thread_id(), process_id());
  }
  remember_verdict(epoch, verdict);
  thread->is_chosen = verdict;
  thread->epoch = epoch;
  return verdict;
}

} // namespace

void count_rules() {
  Rules &r = g_rules;
  bool in_graph = r.max_depth || r.roots.is_set() || r.hidden.is_set() || g_thresh_us;
  r.in_graph = in_graph;
  r.any = in_graph || g_threads.is_set() || g_cpus.is_set() || has_rates();
}

bool has_rules_beside_thresh() {
  const Rules &r = g_rules;
  return r.max_depth || r.roots.is_set() || r.hidden.is_set() || g_threads.is_set() ||
         g_cpus.is_set() || has_rates();
}

Status set_max_graph_depth(uint64_t depth) {
  if (depth > kMaxGraphDepth)
    return failure(EINVAL, "a depth is at most 256; 0 is no limit");
  __atomic_store_n(&g_rules.max_depth, (uint32_t)depth, __ATOMIC_RELAXED);
  count_rules();
  return {};
}

Status set_tracing_thresh(uint64_t us) {
  if (us > 3600000000)
    return failure(EINVAL, "a threshold is at most an hour");
  g_thresh_us = us;
  count_rules();
  return {};
}

Status change_graph_filter(GraphFilter which, const char *text, uint64_t bytes, bool reset,
                           const char *separators) {
  PublishedFilter &filter = which == GraphFilter::kFunction ? g_rules.roots : g_rules.hidden;
  Status status = filter.change(text, bytes, reset, separators);
  count_rules();
  return status;
}

Status set_filter_pids(PidFilter which, const char *text, uint64_t bytes, PidList::How how) {
  NOPHOOK_TRY(g_threads.list(which).change(text, bytes, how));
  __atomic_store_n(&g_epoch, g_epoch + 1, __ATOMIC_RELEASE);
  count_rules();
  return {};
}

void set_function_fork(bool on) {
  g_function_fork = on;
}

Status set_cpu_mask(const char *text, uint64_t bytes) {
  NOPHOOK_TRY(g_cpus.set(text, bytes));
  count_rules();
  return {};
}

void show_max_graph_depth(RuleText &text) {
  text.number(g_rules.max_depth);
}

void show_tracing_thresh(RuleText &text) {
  text.number(g_thresh_us);
}

void show_filter_pids(PidFilter which, RuleText &text) {
  g_threads.list(which).show(text, "no pid");
}

void show_cpu_mask(RuleText &text) {
  g_cpus.show(text);
}

void settle_rules() {
  uint64_t ticks = g_thresh_us ? ticks_of_ns(g_thresh_us * 1000) : 0;
  __atomic_store_n(&g_rules.thresh_ticks, ticks, __ATOMIC_RELAXED);
  set_profile_thresh(ticks);
  count_rules();
}

Status rules_follow_modules() {
  NOPHOOK_TRY(g_rules.roots.follow());
  NOPHOOK_TRY(g_rules.hidden.follow());
  return rates_follow_modules();
}

void report_rule_misses() {
  g_rules.roots.report_misses("set_graph_function");
  g_rules.hidden.report_misses("set_graph_notrace");
  report_rate_misses();
}

bool is_wanted_here() {
  if (g_cpus.is_set() && !g_cpus.has(current_cpu()))
    return false;
  if (!g_threads.is_set())
    return true;
  TracerThread *thread = tracer_thread();
  return thread && is_chosen(thread);
}

} // namespace nophook
