// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The public functions of include/ftrace.h that are about ops: checks of their arguments, the lock
// around each change, and the grace period behind it.

#define NOPHOOK_NO_SHORT_NAMES // here `notrace` is a filter
#include <ftrace.h>

#include "base/lock.h"
#include "ops/adopt.h"
#include "ops/call.h"
#include "ops/dynamic_memory.h"
#include "ops/ops.h"
#include "ops/recursion.h"
#include "ops/thread.h"

#include <errno.h>

#define NOPHOOK_API extern "C" __attribute__((visibility("default")))

using namespace nophook;

namespace {

constexpr unsigned long kBusy =
    FTRACE_OPS_FL_ENABLED | FTRACE_OPS_FL_ADDING | FTRACE_OPS_FL_REMOVING;

Status check(const ftrace_ops *ops) {
  if (!ops || !ops->func)
    return failure(EINVAL, "an ops needs a function");
  if (ops->flags & kBusy)
    return failure(EBUSY, "the ops is registered");
  if (ops->flags & FTRACE_OPS_FL_PERMANENT && !ftrace_is_enabled())
    return failure(EBUSY, "tracing is disabled");
  return {};
}

// An ops that changes where functions continue must say which ones.
Status check_filters(const ftrace_ops *ops) {
  if (!(ops->flags & FTRACE_OPS_FL_IPMODIFY))
    return {};
  if (ops->state->filter.is_empty() || !ops->state->notrace.is_empty())
    return failure(EINVAL, "an ops with IPMODIFY needs a filter, and no notrace");
  return {};
}

// Finds modules before the first registration; modules that come later register themselves.
Status prepare(ftrace_ops *ops) {
  if (!first_module())
    NOPHOOK_TRY(adopt_modules());
  return initialise_ops(ops, Role::kCallback);
}

Status enter(ftrace_ops *ops) {
  NOPHOOK_TRY(check(ops));
  NOPHOOK_TRY(prepare(ops));
  NOPHOOK_TRY(check_filters(ops));
  ops->flags &= ~(unsigned long)FTRACE_OPS_FL_DYNAMIC;
  if (is_dynamic_memory(reinterpret_cast<uint64_t>(ops)))
    ops->flags |= FTRACE_OPS_FL_DYNAMIC;
  if (ops->flags & FTRACE_OPS_FL_SAVE_REGS_IF_SUPPORTED)
    ops->flags |= FTRACE_OPS_FL_SAVE_REGS;
  return add_ops(ops);
}

// The filter of an ops that is changed.
enum class Which : uint8_t { kFilter, kNotrace };
Filter &filter_of(ftrace_ops *ops, Which which) {
  return which == Which::kFilter ? ops->state->filter : ops->state->notrace;
}

// Makes one change of one filter, on a copy, and brings the sites in line. If either fails nothing
// has changed.
template <class Change> int change_filter(ftrace_ops *ops, Which which, bool reset, Change change) {
  if (!ops)
    return -EINVAL;
  Status status;
  {
    RuntimeLock lock;
    Filter &filter = spare_filter();
    status = prepare(ops);
    if (status.ok() && !reset)
      status = filter.copy(filter_of(ops, which));
    if (status.ok())
      status = change(filter);
    if (status.ok()) {
      filter_of(ops, which).swap(filter);
      status = ops->flags & FTRACE_OPS_FL_ENABLED ? check_filters(ops) : Status{};
      if (status.ok())
        status = refilter(ops);
      if (!status.ok()) {
        filter_of(ops, which).swap(filter);
        publish_filters(ops->state);
      }
    }
    forget_unused_ops(ops);
  }
  reclaim();
  return -status.error;
}

int set_by_text(ftrace_ops *ops, Which which, const unsigned char *text, int bytes, int reset) {
  return change_filter(ops, which, reset != 0, [&](Filter &filter) {
    return filter.change(reinterpret_cast<const char *>(text),
                         text && bytes > 0 ? (uint64_t)bytes : 0, reset != 0, " \t\n",
                         Filter::Misses::kRefused);
  });
}

} // namespace

NOPHOOK_API int register_ftrace_function(ftrace_ops *ops) {
  if (must_not_lock())
    return -EBUSY;
  Status status;
  uint64_t removal;
  {
    RuntimeLock lock;
    status = enter(ops);
    if (status.ok() || !ops || ops->flags & kBusy)
      return -status.error;
    if (!ops->state || !ops->state->call) {
      forget_unused_ops(ops);
      return -status.error;
    }
    begin_removal(ops);
    removal = removal_of(ops);
  }
  // The ops was visible for a moment, to sites that other ops have enabled.
  Status waited = synchronize_callbacks();
  RuntimeLock lock;
  if (waited.ok() && removal_of(ops) == removal) {
    finish_removal(ops);
    forget_unused_ops(ops);
  }
  return -status.error;
}

NOPHOOK_API int unregister_ftrace_function(ftrace_ops *ops) {
  if (must_not_lock())
    return -EBUSY;
  uint64_t removal;
  {
    RuntimeLock lock;
    if (!ops || !is_registered(ops))
      return -ENOENT;
    Status status = can_synchronize_callbacks();
    if (status.ok() && ops->flags & FTRACE_OPS_FL_ENABLED)
      status = remove_ops(ops);
    if (!status.ok())
      return -status.error;
    ops->state->unwaited = false; // a caller at the same time need not wait again
    removal = removal_of(ops);
  }
  Status waited = synchronize_callbacks();
  RuntimeLock lock;
  if (removal_of(ops) != removal) // a fork child has finished it, or its library was unloaded
    return -waited.error;
  if (!waited.ok()) {
    ops->state->unwaited = true;
    return -waited.error;
  }
  finish_removal(ops);
  forget_unused_ops(ops);
  return 0;
}

// The callback of a direct ops, never called: the list function does its work.
static void direct_func(unsigned long, unsigned long, ftrace_ops *, ftrace_regs *) {}

NOPHOOK_API int register_ftrace_direct(ftrace_ops *ops, unsigned long address) {
  if (must_not_lock())
    return -EBUSY;
  {
    RuntimeLock lock;
    if (!ops || !address || !(ops->flags & FTRACE_OPS_FL_INITIALIZED) ||
        ops->state->filter.is_empty())
      return -EINVAL;
    if (ops->flags & kBusy)
      return -EBUSY;
    ops->func = direct_func;
    ops->flags |= FTRACE_OPS_FL_DIRECT;
    ops->state->direct = address;
  }
  return register_ftrace_function(ops);
}

NOPHOOK_API int unregister_ftrace_direct(ftrace_ops *ops, unsigned long address, int free_filters) {
  if (must_not_lock())
    return -EBUSY;
  {
    RuntimeLock lock;
    if (!ops || !is_registered(ops) || !(ops->flags & FTRACE_OPS_FL_DIRECT) ||
        ops->state->direct != address)
      return -EINVAL;
  }
  int result = unregister_ftrace_function(ops);
  if (result)
    return result;
  {
    RuntimeLock lock; // other threads read the flags of ops that have filters
    ops->func = nullptr;
    clear_flags(ops, FTRACE_OPS_FL_DIRECT);
  }
  if (free_filters)
    ftrace_free_filter(ops);
  return 0;
}

NOPHOOK_API int modify_ftrace_direct(ftrace_ops *ops, unsigned long address) {
  if (must_not_lock())
    return -EBUSY;
  RuntimeLock lock;
  if (!ops || !address || !(ops->flags & FTRACE_OPS_FL_ENABLED) ||
      !(ops->flags & FTRACE_OPS_FL_DIRECT))
    return -EINVAL;
  __atomic_store_n(&ops->state->direct, address, __ATOMIC_RELAXED);
  return 0;
}

NOPHOOK_API int ftrace_set_filter(ftrace_ops *ops, const unsigned char *text, int bytes,
                                  int reset) {
  if (must_not_lock())
    return -EBUSY;
  return set_by_text(ops, Which::kFilter, text, bytes, reset);
}

NOPHOOK_API int ftrace_set_notrace(ftrace_ops *ops, const unsigned char *text, int bytes,
                                   int reset) {
  if (must_not_lock())
    return -EBUSY;
  return set_by_text(ops, Which::kNotrace, text, bytes, reset);
}

NOPHOOK_API int ftrace_set_filter_ips(ftrace_ops *ops, const unsigned long *ips, unsigned int count,
                                      int remove, int reset) {
  if (must_not_lock())
    return -EBUSY;
  return change_filter(ops, Which::kFilter, reset != 0, [&](Filter &filter) {
    return filter.change_ips(ips, ips ? count : 0, remove != 0, reset != 0);
  });
}

NOPHOOK_API int ftrace_set_filter_ip(ftrace_ops *ops, unsigned long ip, int remove, int reset) {
  if (must_not_lock())
    return -EBUSY;
  return ftrace_set_filter_ips(ops, &ip, 1, remove, reset);
}

NOPHOOK_API void ftrace_free_filter(ftrace_ops *ops) {
  RuntimeLock lock;
  if (ops && ops->flags & FTRACE_OPS_FL_INITIALIZED && !(ops->flags & kBusy))
    forget_ops(ops);
}

NOPHOOK_API int ftrace_set_enabled(int enabled) {
  if (must_not_lock())
    return -EBUSY;
  {
    RuntimeLock lock;
    Status status = enable_ftrace(enabled != 0);
    if (!status.ok() || enabled || !nophook_calls)
      return -status.error;
  }
  return -synchronize_callbacks().error; // waits for callbacks that have begun
}

NOPHOOK_API int ftrace_get_enabled(void) {
  RuntimeLock lock;
  return ftrace_is_enabled();
}

NOPHOOK_API int ftrace_set_pids(const int *pids, unsigned int count) {
  if (must_not_lock())
    return -EBUSY;
  Pids *old = nullptr;
  {
    RuntimeLock lock;
    Status status = set_pids(pids, pids ? count : 0, &old);
    if (!status.ok())
      return -status.error;
  }
  if (old && synchronize_callbacks().ok()) // without a wait it is leaked
    free_pids(old);
  return 0;
}

NOPHOOK_API int rcu_is_watching(void) {
  return thread_is_watched();
}
