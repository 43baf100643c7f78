// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registering, unregistering, and changes of filters. A change computes the set of functions of an
// ops again, changes the sites where it differs from the old set, and frees the old set when no
// callback can be reading it.

#include "ops/ops.h"

#include "base/eternal.h"
#include "base/lock.h"
#include "ops/call.h"
#include "ops/redirect.h"
#include "ops/thread.h"
#include "ops/update.h"

#include <errno.h>

namespace nophook {
namespace {

ftrace_ops *g_registered = nullptr;
nophook_ops *g_known = nullptr;
bool g_enabled = true;

// Bytes of retired sets, or a number of them, before reclaim() waits.
constexpr uint64_t kRetiredBytes = 1 << 20;
constexpr uint64_t kRetiredSets = 16;
Array<FtraceHash *> &retired() {
  static Eternal<Array<FtraceHash *>> retired;
  return *retired;
}
uint64_t g_retired_bytes = 0;

// filter minus notrace and left_out, over the loaded modules; null without memory.
FtraceHash *select(const nophook_ops *state) {
  FtraceHash *hash = new_hash(id_limit());
  if (!hash)
    return nullptr;
  if (state->filter.is_empty()) {
    for (const Module *m = first_module(); m; m = m->next)
      if (m->loaded)
        hash_set_range(hash, m->first_id, m->records.count(), true);
  } else {
    for (uint32_t word = 0; word < hash->ids / 64; word++)
      hash->words[word] = hash_word(state->filter.hash(), word);
  }
  for (uint32_t word = 0; word < hash->ids / 64; word++)
    hash->words[word] &= ~hash_word(state->notrace.hash(), word);
  follow_redirects(hash, state->notrace.hash());
  for (uint32_t word = 0; state->left_out && word < hash->ids / 64; word++)
    hash->words[word] &= ~hash_word(state->left_out, word);
  return hash;
}

// The functions that one of the two sets has and the other has not.
FtraceHash *difference(const FtraceHash *a, const FtraceHash *b) {
  FtraceHash *hash = new_hash(id_limit());
  for (uint32_t word = 0; hash && word < hash->ids / 64; word++)
    hash->words[word] = hash_word(a, word) ^ hash_word(b, word);
  return hash;
}

Status update_difference(const FtraceHash *a, const FtraceHash *b) {
  FtraceHash *dirty = difference(a, b);
  if (!dirty)
    return failure(ENOMEM, "no memory to enable functions");
  Status status = update_sites(dirty);
  free_hash(dirty);
  return status;
}

// Makes `selected` the set of `state`. On an error the old set stays.
Status exchange(nophook_ops *state, FtraceHash *selected) {
  FtraceHash *old = state->selected;
  __atomic_store_n(&state->selected, selected, __ATOMIC_RELEASE);
  Status status = update_difference(old, selected);
  if (!status.ok()) {
    __atomic_store_n(&state->selected, old, __ATOMIC_RELEASE);
    Status restored = update_difference(old, selected);
    (void)restored; // only counts have changed
  }
  retire(status.ok() ? old : selected);
  return status;
}

// Whether another ops that changes where a function continues has one of the functions: two cannot
// share it.
bool shares_modified(const nophook_ops *mine, const FtraceHash *selected) {
  constexpr unsigned long kModifies = FTRACE_OPS_FL_IPMODIFY | FTRACE_OPS_FL_DIRECT;
  if (!(mine->ops->flags & kModifies))
    return false;
  for (const ftrace_ops *ops = g_registered; ops; ops = ops->next) {
    if (ops == mine->ops || !(ops->flags & kModifies))
      continue;
    for (uint32_t word = 0; word < selected->ids / 64; word++)
      if (selected->words[word] & hash_word(ops->state->selected, word))
        return true;
  }
  return false;
}

} // namespace

ftrace_ops *registered_ops() {
  return __atomic_load_n(&g_registered, __ATOMIC_ACQUIRE);
}

nophook_ops *known_ops() {
  return g_known;
}

Status initialise_ops(ftrace_ops *ops, Role role) {
  if (ops->flags & FTRACE_OPS_FL_INITIALIZED)
    return {};
  auto *state = static_cast<nophook_ops *>(map_pages(sizeof(nophook_ops)));
  if (!state)
    return failure(ENOMEM, "no memory for an ops");
  await_modules(); // its filter may be for a module that is still to come
  state->ops = ops;
  state->role = role;
  state->next = g_known;
  g_known = state;
  ops->state = state;
  ops->flags = (ops->flags & ~(unsigned long)FTRACE_OPS_FL_DELETED) | FTRACE_OPS_FL_INITIALIZED;
  return {};
}

bool unlist_ops(const nophook_ops *state) {
  nophook_ops **at = &g_known;
  while (*at && *at != state)
    at = &(*at)->next;
  if (!*at)
    return false;
  *at = state->next;
  return true;
}

void forget_ops(ftrace_ops *ops) {
  nophook_ops *state = ops->state;
  if (!unlist_ops(state))
    return;
  state->filter.clear();
  state->notrace.clear();
  free_hash(state->left_out);
  unmap_pages(state, sizeof(nophook_ops));
  ops->state = nullptr;
  ops->filter_hash = ops->notrace_hash = nullptr;
  ops->flags = (ops->flags & ~(unsigned long)FTRACE_OPS_FL_INITIALIZED) | FTRACE_OPS_FL_DELETED;
}

void forget_unused_ops(ftrace_ops *ops) {
  const nophook_ops *state = ops->state;
  if (!state || state->selected || state->call || state->exit_bytes || !state->filter.is_empty() ||
      !state->notrace.is_empty())
    return;
  forget_ops(ops);
  clear_flags(ops, FTRACE_OPS_FL_DELETED); // its owner has not called ftrace_free_filter()
}

void publish_filters(nophook_ops *state) {
  state->ops->filter_hash = const_cast<FtraceHash *>(state->filter.hash());
  state->ops->notrace_hash = const_cast<FtraceHash *>(state->notrace.hash());
}

Status add_ops(ftrace_ops *ops) {
  nophook_ops *state = ops->state;
  if (state->role == Role::kCallback) {
    NOPHOOK_TRY(reserve_calls());
    NOPHOOK_TRY(prepare_threads());
    NOPHOOK_TRY(can_synchronize_callbacks()); // otherwise it could not be unregistered
  }
  FtraceHash *selected = select(state);
  if (!selected)
    return failure(ENOMEM, "no memory to enable functions");
  if (shares_modified(state, selected)) {
    free_hash(selected);
    return failure(EBUSY, "another callback already changes where one of the functions continues");
  }
  if (state->role == Role::kCallback && !(state->call = new_call(ops))) {
    free_hash(selected);
    return failure(ENOMEM, "no memory for a callback");
  }
  set_flags(ops, FTRACE_OPS_FL_ADDING | FTRACE_OPS_FL_ALLOC_TRAMP);
  ops->next = g_registered;
  __atomic_store_n(&g_registered, ops, __ATOMIC_RELEASE);
  Status status = exchange(state, selected);
  clear_flags(ops, FTRACE_OPS_FL_ADDING);
  if (status.ok()) {
    set_flags(ops, FTRACE_OPS_FL_ENABLED);
    return {};
  }
  g_registered = ops->next;
  return status; // the call stays with the ops until the next grace period, see finish_removal
}

static uint64_t g_removals = 0;

void begin_removal(ftrace_ops *ops) {
  ops->state->removal = ++g_removals;
  set_flags(ops, FTRACE_OPS_FL_REMOVING);
}

uint64_t removal_of(const ftrace_ops *ops) {
  return ops->flags & FTRACE_OPS_FL_REMOVING && ops->state ? ops->state->removal : 0;
}

uint64_t last_removal() {
  return g_removals;
}

Status remove_ops(ftrace_ops *ops) {
  nophook_ops *state = ops->state;
  ftrace_ops **at = &g_registered;
  while (*at != ops)
    at = &(*at)->next;
  begin_removal(ops);
  __atomic_store_n(at, ops->next, __ATOMIC_RELEASE);
  Status status = update_difference(state->selected, nullptr);
  if (!status.ok()) {
    __atomic_store_n(at, ops, __ATOMIC_RELEASE);
    Status restored = update_difference(state->selected, nullptr);
    (void)restored; // only counts have changed
    clear_flags(ops, FTRACE_OPS_FL_REMOVING);
    return status;
  }
  clear_flags(ops, FTRACE_OPS_FL_ENABLED);
  return {};
}

Status wait_for_callbacks() {
  return nophook_calls ? synchronize_callbacks() : Status{};
}

Status wait_and_finish_removal(ftrace_ops *ops) {
  uint64_t removal;
  {
    RuntimeLock lock;
    removal = removal_of(ops);
  }
  if (!removal)
    return {};
  NOPHOOK_TRY(wait_for_callbacks());
  RuntimeLock lock;
  if (removal_of(ops) == removal)
    finish_removal(ops);
  return {};
}

Status unregister_and_wait(ftrace_ops *ops) {
  {
    RuntimeLock lock;
    if (ops->flags & FTRACE_OPS_FL_ENABLED)
      NOPHOOK_TRY(remove_ops(ops));
  }
  return wait_and_finish_removal(ops);
}

void cut_off_ops(ftrace_ops *ops) {
  if (!remove_ops(ops).ok())
    cut_off_by_data(ops);
}

void cut_off_by_data(ftrace_ops *ops) {
  ftrace_ops **at = &g_registered;
  while (*at != ops)
    at = &(*at)->next;
  __atomic_store_n(at, ops->next, __ATOMIC_RELEASE);
  const FtraceHash *selected = ops->state->selected;
  for (uint32_t id = 0; id < selected->ids; id++)
    if (hash_has(selected, id) && nophook_calls && nophook_calls[id] == ops->state->call)
      set_call(id, list_call());
  begin_removal(ops);
  clear_flags(ops, FTRACE_OPS_FL_ENABLED);
}

void finish_removal(ftrace_ops *ops) {
  nophook_ops *state = ops->state;
  if (state->call)
    free_call(state->call);
  state->call = nullptr;
  free_hash(state->selected);
  state->selected = nullptr;
  state->unwaited = false;
  ops->next = nullptr;
  clear_flags(ops, FTRACE_OPS_FL_REMOVING | FTRACE_OPS_FL_ALLOC_TRAMP);
}

void finish_all_removals() {
  for (nophook_ops *state = g_known, *next; state; state = next) {
    next = state->next; // finishing may free it
    if (state->ops->flags & FTRACE_OPS_FL_REMOVING)
      finish_removal(state->ops);
  }
}

Status refilter(ftrace_ops *ops) {
  nophook_ops *state = ops->state;
  publish_filters(state);
  if (!(ops->flags & FTRACE_OPS_FL_ENABLED))
    return {};
  FtraceHash *selected = select(state);
  if (!selected)
    return failure(ENOMEM, "no memory to enable functions");
  if (shares_modified(state, selected)) {
    free_hash(selected);
    return failure(EBUSY, "another callback already changes where one of the functions continues");
  }
  set_flags(ops, FTRACE_OPS_FL_MODIFYING);
  Status status = exchange(state, selected);
  clear_flags(ops, FTRACE_OPS_FL_MODIFYING);
  return status;
}

Status leave_out(ftrace_ops *ops, FtraceHash *set) {
  FtraceHash *&old = ops->state->left_out;
  bool is_same = true;
  for (uint32_t word = 0; is_same && word < id_limit() / 64 + 1; word++)
    is_same = hash_word(old, word) == hash_word(set, word);
  free_hash(old);
  old = set;
  return is_same ? Status{} : refilter(ops);
}

Status reselect_all(bool keeps_old) {
  for (ftrace_ops *ops = g_registered; ops; ops = ops->next) {
    FtraceHash *selected = select(ops->state);
    if (!selected)
      return failure(ENOMEM, "no memory to enable functions");
    for (uint32_t word = 0; keeps_old && word < selected->ids / 64; word++)
      selected->words[word] |= hash_word(ops->state->selected, word);
    NOPHOOK_TRY(exchange(ops->state, selected));
  }
  return {};
}

void retire(FtraceHash *hash) {
  if (!nophook_calls) { // no callback has ever run that could read it
    free_hash(hash);
    return;
  }
  if (!hash)
    return;
  g_retired_bytes += hash_bytes(hash->ids);
  if (!retired().push(hash)) {
    // Without memory for a pointer the set is leaked: it may have readers.
  }
}

void reclaim() {
  Array<FtraceHash *> mine;
  {
    RuntimeLock lock;
    if (retired().size() < kRetiredSets && g_retired_bytes < kRetiredBytes)
      return;
    mine.swap(retired());
    g_retired_bytes = 0;
  }
  if (!synchronize_callbacks().ok())
    return; // leaked
  RuntimeLock lock;
  for (FtraceHash *hash : mine)
    free_hash(hash);
}

bool ftrace_is_enabled() {
  return g_enabled;
}

Status enable_ftrace(bool enabled) {
  if (enabled == g_enabled)
    return {};
  for (const ftrace_ops *ops = g_registered; ops && !enabled; ops = ops->next)
    if (ops->flags & FTRACE_OPS_FL_PERMANENT)
      return failure(EBUSY, "a permanent callback is registered");
  if (!enabled && any_patched())
    return failure(EBUSY, "a live patch is enabled");
  g_enabled = enabled;
  FtraceHash *all = new_hash(id_limit());
  if (!all) {
    g_enabled = !enabled;
    return failure(ENOMEM, "no memory to enable functions");
  }
  hash_set_range(all, 0, all->ids, true);
  Status status = update_sites(all);
  free_hash(all);
  if (!status.ok())
    g_enabled = !enabled;
  return status;
}

} // namespace nophook
