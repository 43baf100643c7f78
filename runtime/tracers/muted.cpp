// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Moves the functions that counters have found into the filter of their tracer's ops.

#include "tracers/muted.h"

#include "base/lock.h"
#include "tracers/tracer.h"

namespace nophook {

// The profiler counts calls whatever the rates are. A function of set_graph_notrace hides what it
// calls, so the tracer must see its calls.
Status leave_out_muted(trace_array &tr) {
  ftrace_ops &ops = tr.probe.ops;
  FtraceHash *muted = nullptr;
  if (!ops.state)
    return {};
  if (tr.tracer && !tr.tracer->is_profiler() && !tr.rules.hidden.is_set())
    NOPHOOK_TRY(tr.rules.rates().find_muted(&muted));
  return leave_out(&ops, muted);
}

void leave_out_new_muted() {
  uint32_t news = 0;
  for (uint32_t number = 0; number < kTraceArrays; number++)
    news |= (uint32_t)array_numbered(number).rules.rates().take_news() << number;
  if (!news)
    return;
  {
    RuntimeLock lock;
    each_array([&](trace_array &tr) {
      if (news >> tr.number & 1)
        (void)leave_out_muted(tr).ok(); // callbacks go on leaving them out
    });
  }
  reclaim();
}

} // namespace nophook
