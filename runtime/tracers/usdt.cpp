// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The probes' functions: an fprobe on the set. The semaphores are words of our memory that the
// kernel, or a debugger, increments for each tool that attaches.

#include "tracers/usdt.h"

#include "base/lock.h"
#include "ops/fprobe.h"
#include "ops/thread.h"

#include <errno.h>

extern "C" {
void nophook_usdt_entry(unsigned long ip, unsigned long parent_ip, const ftrace_regs *regs);
void nophook_usdt_return(unsigned long ip, unsigned long parent_ip, const ftrace_regs *regs);
extern volatile uint16_t nophook_usdt_entry_semaphore, nophook_usdt_return_semaphore;
}

namespace nophook {
namespace {

fprobe g_probe;

int enters(fprobe *, unsigned long ip, unsigned long parent_ip, ftrace_regs *regs, void *) {
  if (nophook_usdt_entry_semaphore)
    nophook_usdt_entry(ip, parent_ip, regs);
  return 0;
}

void returns(fprobe *, unsigned long ip, unsigned long parent_ip, ftrace_regs *regs, void *) {
  if (nophook_usdt_return_semaphore)
    nophook_usdt_return(ip, parent_ip, regs);
}

Status prepare() {
  if (g_probe.ops.state)
    return {};
  g_probe.entry_handler = enters;
  g_probe.exit_handler = returns;
  g_probe.ops.flags = FTRACE_OPS_FL_RECURSION_SAFE | FTRACE_OPS_FL_GENERAL_REGS;
  NOPHOOK_TRY(initialise_ops(&g_probe.ops, Role::kCallback));
  return bind_probe(&g_probe);
}

bool is_in(unsigned long flags) {
  return g_probe.ops.flags & flags;
}

} // namespace

Status usdt_filter(Filter **filter) {
  NOPHOOK_TRY(prepare());
  *filter = &g_probe.ops.state->filter;
  return {};
}

bool has_usdt() {
  return g_probe.ops.state && !g_probe.ops.state->filter.is_empty();
}

void report_usdt_misses() {
  if (g_probe.ops.state)
    g_probe.ops.state->filter.report_misses("", "set_usdt_filter");
}

// An ops without a filter would have every function, so an empty set means that no probe is
// registered.
Status start_usdt() {
  if (!has_usdt() || is_in(FTRACE_OPS_FL_ENABLED))
    return {};
  if (is_in(FTRACE_OPS_FL_REMOVING))
    return failure(EBUSY, "another thread is changing the set");
  NOPHOOK_TRY(prepare_threads());
  revive_probe(&g_probe);
  return add_ops(&g_probe.ops);
}

Status replace_usdt_filter(Filter *changed) {
  Filter *filter;
  NOPHOOK_TRY(usdt_filter(&filter));
  filter->swap(*changed);
  Status status;
  if (filter->is_empty()) {
    if (is_in(FTRACE_OPS_FL_ENABLED) && silence_probe(&g_probe))
      status = remove_ops(&g_probe.ops);
  } else if (is_in(FTRACE_OPS_FL_ENABLED)) {
    status = refilter(&g_probe.ops);
  } else {
    publish_filters(g_probe.ops.state);
    if (first_module())
      status = start_usdt();
  }
  if (!status.ok()) {
    filter->swap(*changed);
    publish_filters(g_probe.ops.state);
  }
  return status;
}

Status set_usdt_filter(const char *text, uint64_t bytes, const char *separators) {
  Filter &changed = spare_filter();
  NOPHOOK_TRY(changed.change(text, bytes, true, separators, Filter::Misses::kAllowed));
  return replace_usdt_filter(&changed);
}

Status follow_usdt() {
  return wait_and_finish_removal(&g_probe.ops);
}

} // namespace nophook
