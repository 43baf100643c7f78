// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Settings that are one value, by the kernel's names: what is written goes the way of the
// environment's (tracers/settings.h). A tracer that runs follows at once.

#include "base/lock.h"
#include "tracefs/control_file.h"
#include "tracers/rules.h"
#include "tracers/settings.h"
#include "tracers/tracer.h"

#include <errno.h>

namespace nophook {
namespace {

constexpr const char *kNames[] = {
    "set_ftrace_pid",       "set_ftrace_notrace_pid", "auto_notrace",    "max_graph_depth",
    "set_latency_function", "set_latency_marks",      "tracing_cpumask", "tracing_max_latency",
    "tracing_thresh",       "perf_counters",
};
// The first two.
static_assert((uint64_t)PidFilter::kPid == 0 && (uint64_t)PidFilter::kNotrace == 1);

Status show(uint64_t which, SettingText *text) {
  return read_setting(kNames[which], text_length(kNames[which]), text);
}

Status change(uint64_t which, const char *value, uint64_t bytes) {
  return change_setting(kNames[which], text_length(kNames[which]), value, bytes);
}

Status read(uint64_t which, ControlText &text) {
  SettingText shown;
  RuntimeLock lock;
  NOPHOOK_TRY(show(which, &shown));
  text.add(shown.c_str(), shown.size());
  return {};
}

Status write(uint64_t which, const char *value, uint64_t bytes) {
  {
    RuntimeLock lock;
    NOPHOOK_TRY(change(which, value, bytes));
  }
  return follow_settings();
}

// What is written to a list of pids is added to it; opening it by O_TRUNC has emptied it.
Status add_pids(uint64_t which, const char *value, uint64_t bytes) {
  {
    RuntimeLock lock;
    NOPHOOK_TRY(set_filter_pids((PidFilter)which, value, bytes, PidList::How::kAdd));
  }
  return follow_settings();
}

Status clear_pids(uint64_t which) {
  RuntimeLock lock;
  return change(which, "", 0);
}

} // namespace

void visit_setting_files(VisitFile visit, void *context) {
  for (uint64_t i = 0; i < sizeof kNames / sizeof *kNames; i++) {
    ControlFile file = {.path = kNames[i], .which = i, .read_of = read, .write_of = write};
    if (i <= (uint64_t)PidFilter::kNotrace) {
      file.write_of = add_pids;
      file.truncate = clear_pids;
    }
    visit(context, file);
  }
}

} // namespace nophook
