// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What of the calls that a tracer sees it records: in which threads, on which CPUs, how deep,
// beneath which functions, how long ones, how many of one function.
//
// The fast paths know nothing of rules. While there is one, the tracer's sites lead to callbacks
// (tracers/callbacks.h) instead, which ask here. What they read is changed under the runtime's
// lock while they run.

#pragma once

#include "base/bytes.h"
#include "base/status.h"
#include "tracers/pid_list.h"
#include "tracers/published_filter.h"

namespace nophook {

constexpr uint32_t kMaxGraphDepth = 256;

// What callbacks look at.
struct Rules {
  uint32_t any;      // other than 0: there is one
  uint32_t in_graph; // the same for those that need to know what calls are open
  uint32_t max_depth;
  uint64_t thresh_ticks;
  PublishedFilter roots;  // set_graph_function
  PublishedFilter hidden; // set_graph_notrace
};
extern Rules g_rules;

// By the kernel's names; texts are those of its files, globs may be separated by `separators`, too.
// Errors: EINVAL, ENOMEM; nothing has changed then.
Status set_max_graph_depth(uint64_t depth);
Status set_tracing_thresh(uint64_t us);
enum class GraphFilter : uint8_t { kFunction, kNotrace };
Status change_graph_filter(GraphFilter which, const char *text, uint64_t bytes, bool reset,
                           const char *separators);
Status set_filter_pids(PidFilter which, const char *text, uint64_t bytes, PidList::How how);
void set_function_fork(bool on); // children are what their parents are
Status set_cpu_mask(const char *text, uint64_t bytes);

// What is set, as the kernel's files show it, without the last line's end. Under the lock.
using RuleText = Text<4096>;
void show_max_graph_depth(RuleText &text);
void show_tracing_thresh(RuleText &text);
void show_filter_pids(PidFilter which, RuleText &text);
void show_cpu_mask(RuleText &text);

// Before a tracer starts: ticks of the clock that has been chosen.
void settle_rules();
void count_rules(); // g_rules.any and in_graph, after a change
// Whether anything but tracing_thresh, which the profiler heeds, chooses calls.
bool has_rules_beside_thresh();
// A library has come.
Status rules_follow_modules();
void report_rule_misses();

// In callbacks. Whether calls of this thread, at this moment, may be recorded.
bool is_wanted_here();

} // namespace nophook
