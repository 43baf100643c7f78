// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions that sites call. Everything here but the making of the tables runs in callbacks: no
// libc, no lock, no vector register before they are saved.

#include "ops/call.h"

#include "arch/arch.h"
#include "arch/fast_path.h"
#include "arch/vectors.h"
#include "base/memory.h"
#include "ops/own_stack.h"
#include "ops/recursion.h"
#include "ops/thread.h"
#include "poke/island.h"

#include <nophook/buffer.h>

#include <errno.h>

nophook::Call **nophook::nophook_calls = nullptr;

namespace nophook {

constexpr uint32_t kMaxPids = 64;
struct Pids {
  uint32_t count;
  int32_t pids[kMaxPids];
};

namespace {

uint32_t g_call_room = 0;

union CallSlot {
  Call call;
  CallSlot *next_free;
};
CallSlot *g_free_calls = nullptr;

Call g_list_call = {ftrace_ops_list_func, nullptr, 0, CALL_SUMS_EXIT_BYTES};

void ftrace_stub(unsigned long, unsigned long, ftrace_ops *, ftrace_regs *) {}

// The kernel's rule, with our additions: an ops that needs protection gets the assist function.
auto choose_func(const ftrace_ops *ops) {
  constexpr unsigned long kOnItsOwn = FTRACE_OPS_FL_RECURSION_SAFE | FTRACE_OPS_FL_GENERAL_REGS;
  constexpr unsigned long kAssisted = FTRACE_OPS_FL_RCU | FTRACE_OPS_FL_PID |
                                      FTRACE_OPS_FL_CONTROL | FTRACE_OPS_FL_RECURSION |
                                      FTRACE_OPS_FL_OWN_STACK;
  const unsigned long flags = flags_of(ops);
  if (flags & FTRACE_OPS_FL_STUB)
    return &ftrace_stub;
  if ((flags & kOnItsOwn) == kOnItsOwn && !(flags & kAssisted))
    return ops->func;
  return &ftrace_ops_assist_func;
}

Pids *g_pids = nullptr; // the threads of ftrace_set_pids(); null: all threads

bool is_chosen_thread() {
  const Pids *pids = __atomic_load_n(&g_pids, __ATOMIC_ACQUIRE);
  if (!pids)
    return true;
  for (uint32_t i = 0; i < pids->count; i++)
    if (pids->pids[i] == this_thread()->tid)
      return true;
  return false;
}

uint64_t thunk_of(uint32_t id, SiteKind kind) {
  for (const Module *m = first_module(); m; m = m->next)
    if (id - m->first_id < m->records.count() && m->thunks[(int)kind])
      return thunk_address(m, id - m->first_id, kind);
  return 0;
}

} // namespace

Status reserve_calls() {
  uint32_t wanted = id_limit();
  if (nophook_calls && wanted <= g_call_room)
    return {};
  // The old table stays: a trampoline may be reading it. Rooms double, so they sum up to one more.
  uint32_t room = (uint32_t)round_up(wanted * uint64_t{2} + 1, kPageBytes);
  auto **table = static_cast<Call **>(map_pages(room * sizeof(Call *), MAP_NORESERVE));
  if (!table)
    return failure(ENOMEM, "no memory for the table of callbacks");
  for (uint32_t i = 0; nophook_calls && i < g_call_room; i++)
    if (nophook_calls[i])
      table[i] = nophook_calls[i];
  __atomic_store_n(&nophook_calls, table, __ATOMIC_RELEASE);
  g_call_room = room;
  return {};
}

Call *new_call(ftrace_ops *ops) {
  if (!g_free_calls) {
    auto *slots = static_cast<CallSlot *>(map_pages(kPageBytes));
    if (!slots)
      return nullptr;
    for (uint32_t i = 0; i < kPageBytes / sizeof(CallSlot); i++) {
      slots[i].next_free = g_free_calls;
      g_free_calls = &slots[i];
    }
  }
  CallSlot *slot = g_free_calls;
  g_free_calls = slot->next_free;
  slot->call = {choose_func(ops), ops, ops->flags & FTRACE_OPS_FL_SAVE_REGS,
                (int64_t)ops->state->exit_bytes};
  return &slot->call;
}

void free_call(Call *call) {
  auto *slot = reinterpret_cast<CallSlot *>(call);
  slot->next_free = g_free_calls;
  g_free_calls = slot;
}

Call *list_call() {
  return &g_list_call;
}

Status set_pids(const int *pids, uint32_t count, Pids **old) {
  if (count > kMaxPids)
    return failure(EINVAL, "too many threads in a filter");
  auto *set = count ? static_cast<Pids *>(map_pages(sizeof(Pids))) : nullptr;
  if (count && !set)
    return failure(ENOMEM, "no memory for a filter of threads");
  for (uint32_t i = 0; i < count; i++)
    set->pids[i] = pids[i];
  if (set)
    set->count = count;
  *old = g_pids;
  __atomic_store_n(&g_pids, set, __ATOMIC_RELEASE);
  return {};
}

void free_pids(Pids *pids) {
  if (pids)
    unmap_pages(pids, sizeof(Pids));
}

// A function of its own, so that other callbacks do not pay for its stack frame.
static __attribute__((noinline)) void call_on_own_stack(unsigned long ip, unsigned long parent_ip,
                                                        ftrace_ops *ops, ftrace_regs *regs) {
  run_on_own_stack([=] { ops->func(ip, parent_ip, ops, regs); });
}

static __attribute__((noinline)) bool is_wanted_now(const ftrace_ops *ops, unsigned long flags) {
  if (flags & FTRACE_OPS_FL_CONTROL && ops->disabled && *ops->disabled)
    return false;
  if (flags & FTRACE_OPS_FL_PID && !is_chosen_thread())
    return false;
  return !(flags & FTRACE_OPS_FL_RCU) || thread_is_watched();
}

extern "C" void ftrace_ops_assist_func(unsigned long ip, unsigned long parent_ip, ftrace_ops *ops,
                                       ftrace_regs *regs) {
  callback_begins();
  unsigned long flags = flags_of(ops);
  if (flags & (FTRACE_OPS_FL_CONTROL | FTRACE_OPS_FL_PID | FTRACE_OPS_FL_RCU) &&
      !is_wanted_now(ops, flags))
    return;
  bool stop = !(flags & FTRACE_OPS_FL_RECURSION_SAFE) || flags & FTRACE_OPS_FL_RECURSION;
  uint32_t index;
  if (!enter_callback(ops, reinterpret_cast<uint64_t>(regs), stop, ip, parent_ip, &index)) {
    __atomic_fetch_add(&ops->missed, 1, __ATOMIC_RELAXED);
    return;
  }
  void *area = flags & FTRACE_OPS_FL_GENERAL_REGS ? nullptr : vector_area(this_thread(), index);
  if (area)
    save_vectors(area);
  if (flags & FTRACE_OPS_FL_OWN_STACK)
    call_on_own_stack(ip, parent_ip, ops, regs);
  else
    ops->func(ip, parent_ip, ops, regs);
  if (area)
    restore_vectors(area);
  leave_callback(index);
  callback_ends();
}

// Continues at the direct call. The site of a function with exits jumps: with a shadow stack no
// return can lead behind it.
static __attribute__((noinline)) void set_direct(ftrace_regs *regs, const nophook_ops *state) {
  if (!(regs->exit_area && Arch::has_shadow_stack()))
    regs->direct = __atomic_load_n(&state->direct, __ATOMIC_RELAXED);
}

extern "C" void ftrace_ops_list_func(unsigned long ip, unsigned long parent_ip, ftrace_ops *,
                                     ftrace_regs *regs) {
  callback_begins();
  const uint64_t body = regs->general.continues_at();
  uint64_t thunk = 0;
  for (ftrace_ops *ops = registered_ops(); ops;
       ops = __atomic_load_n(&ops->next, __ATOMIC_ACQUIRE)) {
    if (!ops_has(ops, regs->id) || (flags_of(ops) & FTRACE_OPS_FL_SAVE_REGS && !regs->has_all))
      continue;
    const nophook_ops *state = ops->state;
    if (state->role == Role::kFunction)
      nophook_event_slow(NOPHOOK_EVENT_FUNCTION, (uint64_t)regs->id << NOPHOOK_ID_SHIFT, 0,
                         parent_ip);
    else if (state->role == Role::kGraph)
      thunk = thunk_of(regs->id, SiteKind::kJump);
    else if (state->role == Role::kProfile)
      thunk = thunk_of(regs->id, SiteKind::kProfile);
    else if (state->role == Role::kHits)
      nophook_count_hit(regs->id);
    else if (flags_of(ops) & FTRACE_OPS_FL_DIRECT)
      set_direct(regs, state);
    else
      choose_func(ops)(ip, parent_ip, ops, regs);
  }
  // function_graph comes last: it calls the body. A function that continues elsewhere has no body
  // to be called. A direct call returns to the thunk instead, which a shadow stack does not allow.
  if (thunk && regs->general.continues_at() == body && !(regs->direct && Arch::has_shadow_stack()))
    regs->general.continue_at(thunk);
  callback_ends();
}

} // namespace nophook
