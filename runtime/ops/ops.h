// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ops that are known, and the registered ones among them.

#pragma once

#include "arch/callback_path.h"
#include "ops/filter.h"

#define NOPHOOK_NO_SHORT_NAMES // here `notrace` is a filter
#include <ftrace.h>

namespace nophook {

enum class Role : uint8_t { kCallback, kFunction, kGraph, kProfile, kHits };

} // namespace nophook

// The runtime's half of an ops. Made at the first use of the ops, freed by ftrace_free_filter.
struct nophook_ops {
  struct ftrace_ops *ops;
  nophook_ops *next; // the next of all known ops
  nophook::Role role;
  nophook::Filter filter;
  nophook::Filter notrace;
  nophook::FtraceHash *left_out;    // null: no function; ops.h's leave_out()
  nophook::FtraceHash *selected;    // while registered: filter minus notrace and left_out, all ids
  nophook::Call *call;              // while registered: what a site that it has alone calls
  uint64_t direct;                  // FTRACE_OPS_FL_DIRECT: where to
  uint64_t exit_bytes;              // of exit data for a call, ops/fprobe.h; 0: it wants no exits
  const nophook::Module *goes_with; // module being unloaded, ops/unload.h
  uint64_t removal;                 // the number of the last one, over all ops
  bool unwaited; // removed, but nobody could wait until no callback runs: to be done again
};

namespace nophook {

// The newest registered ops, and the newest of all known ones; `next` leads to the others.
ftrace_ops *registered_ops();
nophook_ops *known_ops();

// Whether the ops is registered, so that it can be unregistered.
inline bool is_registered(const ftrace_ops *ops) {
  return ops->flags & FTRACE_OPS_FL_ENABLED || (ops->state && ops->state->unwaited);
}

// The flags of an ops. They are changed under the lock while it is registered, while callbacks read
// them. The bits that callbacks check do not change then.
inline unsigned long flags_of(const ftrace_ops *ops) {
  return __atomic_load_n(&ops->flags, __ATOMIC_RELAXED);
}
inline void set_flags(ftrace_ops *ops, unsigned long flags) {
  __atomic_store_n(&ops->flags, ops->flags | flags, __ATOMIC_RELAXED);
}
inline void clear_flags(ftrace_ops *ops, unsigned long flags) {
  __atomic_store_n(&ops->flags, ops->flags & ~flags, __ATOMIC_RELAXED);
}

// Whether a registered ops wants the function `id`.
inline bool ops_has(const ftrace_ops *ops, uint32_t id) {
  return hash_has(__atomic_load_n(&ops->state->selected, __ATOMIC_ACQUIRE), id);
}

// Makes the runtime's half. Errors: ENOMEM.
Status initialise_ops(ftrace_ops *ops, Role role);

// Gives the memory of its half back; it is not registered.
void forget_ops(ftrace_ops *ops);

// Stores the addresses of its sets in the ops. Called whenever one of its filters has been
// replaced.
void publish_filters(nophook_ops *state);

// Forgets an ops that has no filters and is not registered: its owner need not announce its end.
void forget_unused_ops(ftrace_ops *ops);

// Registers the ops: its sites are enabled when this returns. The ops is initialised and its flags
// are checked. On an error it is not registered.
Status add_ops(ftrace_ops *ops);

// Unregisters the ops: its sites do not lead to it any more. Callbacks may still be running, and
// walk past it in the list, until a grace period is over: then finish_removal() must be called. On
// an error it stays.
Status remove_ops(ftrace_ops *ops);
void finish_removal(ftrace_ops *ops);
// Removals are numbered, over all ops. While a thread waits without the lock, another one may
// finish the removal, and yet another begin the next one, whose callbacks the first has not waited
// for. So the first finishes only a removal that still has the number that it had before.
void begin_removal(ftrace_ops *ops);
uint64_t removal_of(const ftrace_ops *ops); // number of its unfinished removal; 0: there is none
uint64_t last_removal();
// Waits, without the lock, for all callbacks that are running now, if there has ever been one.
// Errors: those of synchronize_callbacks().
Status wait_for_callbacks();
// Makes the second half of a removal, if one has begun. Without the lock.
Status wait_and_finish_removal(ftrace_ops *ops);
// Makes both halves, without the lock: when this returns, no callback of the ops runs or begins.
// Errors: those of remove_ops(), and then it stays; those of wait_for_callbacks(), and then it is
// removed but not finished.
Status unregister_and_wait(ftrace_ops *ops);
// Does the same as remove_ops(), but cannot fail: sites that cannot be changed stay enabled, and
// call nothing.
void cut_off_ops(ftrace_ops *ops);
// The same without a look at the sites, which stay enabled: no system call. For the end of the
// process.
void cut_off_by_data(ftrace_ops *ops);
// Takes the ops out of the list of all known ones. Its memory stays. False: it was not listed.
bool unlist_ops(const nophook_ops *state);
// Finishes all removals in a fork child: threads that waited in the parent do not exist, and there
// is nothing to wait for.
void finish_all_removals();

// Brings sites in line with changed filters of `ops`, registered or not. On an error the sites
// are as they were.
Status refilter(ftrace_ops *ops);

// Takes `set` (null: no function), which `ops` does without whatever its filters say. Sites follow,
// as by refilter(), with its errors.
Status leave_out(ftrace_ops *ops, FtraceHash *set);

// Computes the functions of each registered ops again, after a redirection has begun or ended.
// `keeps_old`: the old functions stay in the set. Errors: those of update_sites; then some have
// changed.
Status reselect_all(bool keeps_old);

// Retires memory that callbacks may still be reading. reclaim() gives it back, and must be called
// without the lock: it waits for a grace period if there is enough to give back.
void retire(FtraceHash *hash);
void reclaim();

bool ftrace_is_enabled();
Status enable_ftrace(bool enabled);

} // namespace nophook
