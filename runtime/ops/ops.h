// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ops that are known, and those of them that are registered.
//
// The tracers are ops as well: they have filters, are counted at their sites, and share them with
// callbacks. Their role makes the difference: a site that only a tracer uses leads to its fast
// path, past all of this.
//
// Everything here is under the runtime's lock, but the list of registered ops, which callbacks
// walk: an ops leaves it before its last grace period.

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
  nophook_ops *next; // of all known
  nophook::Role role;
  nophook::Filter filter;
  nophook::Filter notrace;
  nophook::FtraceHash *selected;    // while registered: filter minus notrace, over all ids
  nophook::Call *call;              // while registered: what a site that it has alone calls
  uint64_t direct;                  // FTRACE_OPS_FL_DIRECT: where to
  uint64_t exit_bytes;              // of exit data for a call, ops/fprobe.h; 0: it wants no exits
  const nophook::Module *goes_with; // that is being unloaded, ops/unload.h
  uint64_t removal;                 // the number of the last one, over all ops
  bool unwaited; // removed, but nobody could wait until no callback runs: to be done again
};

namespace nophook {

// The newest registered ops; follow `next`. And of all that are known.
ftrace_ops *registered_ops();
nophook_ops *known_ops();

// Whether there is something to unregister.
inline bool is_registered(const ftrace_ops *ops) {
  return ops->flags & FTRACE_OPS_FL_ENABLED || (ops->state && ops->state->unwaited);
}

// Its flags: changed under the lock while it is registered, while callbacks read them. The bits
// that callbacks check do not change then.
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

// The runtime's half. Errors: ENOMEM.
Status initialise_ops(ftrace_ops *ops, Role role);

// Gives its memory back; it is not registered.
void forget_ops(ftrace_ops *ops);

// Stores in the ops where its sets are. Called whenever one of its filters has been replaced.
void publish_filters(nophook_ops *state);

// Forgets an ops that has no filters and is not registered: its owner need not say that it goes.
void forget_unused_ops(ftrace_ops *ops);

// Registers: its sites are enabled when this returns. The ops is initialised and its flags are
// checked. On an error it is not registered.
Status add_ops(ftrace_ops *ops);

// Unregisters: its sites do not lead to it any more. Callbacks may still be running, and walk
// past it in the list, until a grace period is over: then finish_removal() must be called. On an
// error it stays.
Status remove_ops(ftrace_ops *ops);
void finish_removal(ftrace_ops *ops);
// Removals are numbered, over all ops. While a thread waits without the lock, another one may
// finish the removal, and yet another begin the next one, whose callbacks the first has not waited
// for. So the first finishes only a removal that still has the number that it had before.
void begin_removal(ftrace_ops *ops);
uint64_t removal_of(const ftrace_ops *ops); // that is not finished yet; 0: there is none
uint64_t last_removal();
// Without the lock: waits until no callback runs that was running before, if there have ever been
// any. Errors: those of synchronize_callbacks().
Status wait_for_callbacks();
// Without the lock: the second half of a removal, if one has begun.
Status wait_and_finish_removal(ftrace_ops *ops);
// Both halves, without the lock: when this returns, no callback of the ops runs or begins. Errors:
// those of remove_ops(), and then it stays; those of wait_for_callbacks(), and then it is removed
// but not finished.
Status unregister_and_wait(ftrace_ops *ops);
// remove_ops(), whatever happens: sites that cannot be changed stay enabled, for nobody.
void cut_off_ops(ftrace_ops *ops);
// The same without a look at the sites, which stay enabled: no system call. At the process's end.
void cut_off_by_data(ftrace_ops *ops);
// Takes it from the list of all that are known. Its memory stays. False: it was not listed.
bool unlist_ops(const nophook_ops *state);
// In a fork child: threads that waited in the parent do not exist, and there is nothing to wait
// for.
void finish_all_removals();

// Brings sites in line with changed filters of `ops`, registered or not. On an error the sites
// are as they were.
Status refilter(ftrace_ops *ops);

// Computes the functions of each registered ops again, after a redirection has begun or ended.
// `keeps_old`: and keeps its old ones. Errors: those of update_sites; then some have changed.
Status reselect_all(bool keeps_old);

// Memory that callbacks may still be reading; given back by reclaim(), which must be called
// without the lock: it waits for a grace period if there is enough to give back.
void retire(FtraceHash *hash);
void reclaim();

bool ftrace_is_enabled();
Status enable_ftrace(bool enabled);

} // namespace nophook
