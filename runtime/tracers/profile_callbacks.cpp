// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The profiler of an instance. A call is counted, and its time is taken, in the steps of the top
// level's fast path (arch/*/profile_caller.S, docs/design/profile.md), but by callbacks.

#include "arch/fast_path.h"
#include "arch/own_thread.h"
#include "buffer/trace_clock.h"
#include "capture/tracer_thread.h"
#include "tracers/callbacks.h"

namespace nophook {
namespace {

// The data of a call that will return, in its frame.
struct ProfileCall {
  nophook_counts *counts; // counts of its function, in the thread where it began
  uint64_t start;
  uint64_t child_ticks; // the caller's child ticks
  uint64_t total;       // the function's total at the entry
};

void profile_entry(unsigned long, unsigned long, ftrace_ops *ops, ftrace_regs *regs) {
  auto &tr = *static_cast<trace_array *>(ops->private_data);
  Profile *profile = tr.profiler.counts_of_thread(regs->id);
  if (!profile)
    return;
  nophook_counts *counts = &profile->counts[regs->id];
  add_own(&counts->hits, 1);
  auto *call = static_cast<ProfileCall *>(begin_exit(&tr.probe, regs));
  if (!call) // a tail call's time is its caller's
    return;
  call->counts = counts;
  call->child_ticks = profile->child_ticks;
  profile->child_ticks = 0;
  call->total = counts->total;
  call->start = read_tsc();
}

void add_time(nophook_counts *counts, uint64_t total, uint64_t ticks, uint64_t callees) {
  __atomic_store_n(&counts->total, total + ticks, __ATOMIC_RELAXED);
  add_own(&counts->sum, ticks);
  add_own(&counts->self, ticks > callees ? ticks - callees : 0); // a fiber's callees ran elsewhere
  const auto square = (unsigned __int128)ticks * ticks;
  bool carry = add_own(&counts->square_low, (uint64_t)square);
  add_own(&counts->square_high, (uint64_t)(square >> 64) + carry);
}

void profile_exit(fprobe *probe, unsigned long, unsigned long, ftrace_regs *regs, void *data) {
  const uint64_t now = read_tsc();
  auto &tr = *static_cast<trace_array *>(probe->ops.private_data);
  const auto *call = static_cast<const ProfileCall *>(data);
  TracerThread *thread = tracer_thread();
  Profile *profile = thread ? thread->in[tr.number].profile : nullptr;
  if (!profile || regs->id >= profile->ids) // a fiber has come to a thread that counts nothing yet
    return;
  nophook_counts *counts = &profile->counts[regs->id];
  const uint64_t ticks = now - call->start, callees = profile->child_ticks;
  profile->child_ticks = call->child_ticks + ticks;
  const bool has_moved = counts != call->counts; // the thread has other counts than at the entry
  if (ticks >= tr.rules.thresh_ticks())
    add_time(counts, has_moved ? counts->total : call->total, ticks, callees);
  else if (!has_moved && counts->hits)    // else the counts were set to 0 in the meantime
    add_own(&counts->hits, ~uint64_t{0}); // the call was shorter than the least time that counts
}

void hits_entry(unsigned long, unsigned long, ftrace_ops *ops, ftrace_regs *regs) {
  auto &tr = *static_cast<trace_array *>(ops->private_data);
  if (Profile *profile = tr.profiler.counts_of_thread(regs->id))
    add_own(&profile->counts[regs->id].hits, 1);
}

} // namespace

Status trace_hits_by_callback(trace_array &tr) {
  tr.probe.ops.func = hits_entry;
  return {};
}

Status trace_profile_by_callback(trace_array &tr) {
  tr.probe.exit_handler = profile_exit;
  tr.probe.entry_data_size = sizeof(ProfileCall);
  NOPHOOK_TRY(bind_probe(&tr.probe));
  tr.probe.ops.func = profile_entry;
  return {};
}

} // namespace nophook
