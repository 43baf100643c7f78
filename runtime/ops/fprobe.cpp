// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The exit data of a call: for each probe a head and its data, from regs->exit_area on; and the
// handlers that use them.

#include "ops/fprobe.h"

#include "arch/vectors.h"
#include "base/limit_text.h"
#include "base/memory.h"
#include "ops/call.h"
#include "ops/own_stack.h"
#include "ops/recursion.h"
#include "ops/thread.h"
#include "ops/thread_sanitizer.h"

#include <errno.h>

namespace nophook {
namespace {

constexpr uint64_t kMaxDataBytes = 4096;

ProbeSlot *g_free_slots = nullptr;

uint64_t data_bytes(const fprobe *probe) {
  return sizeof(ExitData) + round_up(probe->entry_data_size, 16);
}

void probe_entry(unsigned long ip, unsigned long parent_ip, ftrace_ops *ops, ftrace_regs *regs) {
  auto *probe = reinterpret_cast<fprobe *>(ops);
  if (probe->flags & FPROBE_FL_DISABLED)
    return;
  void *data = nullptr;
  if (ops->state->exit_bytes && !(data = begin_exit(probe, regs))) {
    __atomic_fetch_add(&probe->nmissed, 1, __ATOMIC_RELAXED);
    return;
  }
  void *payload = probe->entry_data_size ? data : nullptr;
  if (probe->entry_handler && probe->entry_handler(probe, ip, parent_ip, regs, payload) && data)
    regs->exits--;
}

// A function of its own, so that other handlers do not pay for its stack frame.
__attribute__((noinline)) void exit_on_own_stack(fprobe *probe, uint64_t site, uint64_t parent,
                                                 ftrace_regs *regs, void *payload) {
  run_on_own_stack([=] { probe->exit_handler(probe, site, parent, regs, payload); });
}

// A function of its own, so that a handler that needs no protection does not pay for it.
__attribute__((noinline)) void protect_handler(fprobe *probe, uint64_t site, uint64_t parent,
                                               ftrace_regs *regs, void *payload) {
  const unsigned long flags = flags_of(&probe->ops);
  uint32_t index;
  if (!enter_callback(&probe->ops, reinterpret_cast<uint64_t>(regs), true, site, parent, &index)) {
    __atomic_fetch_add(&probe->nmissed, 1, __ATOMIC_RELAXED);
    return;
  }
  void *area = flags & FTRACE_OPS_FL_GENERAL_REGS ? nullptr : vector_area(this_thread(), index);
  if (area)
    save_vectors(area);
  if (flags & FTRACE_OPS_FL_OWN_STACK)
    exit_on_own_stack(probe, site, parent, regs, payload);
  else
    probe->exit_handler(probe, site, parent, regs, payload);
  if (area)
    restore_vectors(area);
  leave_callback(index);
}

inline void call_handler(ExitData *data, ftrace_regs *regs) {
  ProbeSlot *slot = data->slot;
  if (__atomic_load_n(&slot->generation, __ATOMIC_ACQUIRE) != data->generation)
    return;
  fprobe *probe = slot->probe;
  if (probe->flags & FPROBE_FL_DISABLED)
    return;
  constexpr unsigned long kOnItsOwn = FTRACE_OPS_FL_RECURSION_SAFE | FTRACE_OPS_FL_GENERAL_REGS;
  const bool is_on_its_own =
      (flags_of(&probe->ops) & (kOnItsOwn | FTRACE_OPS_FL_OWN_STACK)) == kOnItsOwn;
  (is_on_its_own ? probe->exit_handler : protect_handler)(
      probe, regs->general.exit_site(), regs->general.return_address(), regs,
      probe->entry_data_size ? data + 1 : nullptr);
}

__attribute__((noinline)) void call_handlers(ftrace_regs *regs) {
  char *at = regs->exit_area;
  for (uint32_t i = 0; i < regs->exits; i++) {
    auto *data = reinterpret_cast<ExitData *>(at);
    call_handler(data, regs);
    at += data->bytes;
  }
}

} // namespace

Status bind_probe(fprobe *probe) {
  if (probe->entry_data_size > kMaxDataBytes)
    return failure(EINVAL, limit_text<"more than ", kMaxDataBytes, " bytes of entry data">);
  if (!g_free_slots && !probe->slot) {
    auto *slots = static_cast<ProbeSlot *>(map_pages(kPageBytes));
    if (!slots)
      return failure(ENOMEM, "no memory for a probe");
    for (uint32_t i = 0; i < kPageBytes / sizeof(ProbeSlot); i++) {
      slots[i].next_free = g_free_slots;
      g_free_slots = &slots[i];
    }
  }
  probe->ops.func = probe_entry;
  NOPHOOK_TRY(initialise_ops(&probe->ops, Role::kCallback));
  ProbeSlot *slot = probe->slot;
  if (!slot) {
    slot = g_free_slots;
    g_free_slots = slot->next_free;
    slot->probe = probe;
    probe->slot = slot;
  }
  probe->ops.state->exit_bytes = probe->exit_handler ? data_bytes(probe) : 0;
  revive_probe(probe);
  return {};
}

fprobe *probe_of(const ftrace_ops *ops) {
  return ops->func == probe_entry ? reinterpret_cast<fprobe *>(const_cast<ftrace_ops *>(ops))
                                  : nullptr;
}

bool silence_probe(fprobe *probe) {
  uint64_t &generation = probe->slot->generation;
  if (!is_live(generation))
    return false;
  __atomic_store_n(&generation, generation + 1, __ATOMIC_RELEASE);
  return true;
}

void revive_probe(fprobe *probe) {
  uint64_t &generation = probe->slot->generation;
  __atomic_store_n(&generation, (generation + 1) | 1, __ATOMIC_RELEASE);
}

void unbind_probe(fprobe *probe) {
  probe->slot->next_free = g_free_slots;
  g_free_slots = probe->slot;
  probe->slot = nullptr;
  probe->ops.state->exit_bytes = 0;
}

extern "C" uint64_t nophook_exit_bytes(const ftrace_regs *regs) {
  uint64_t bytes = 0;
  for (ftrace_ops *ops = registered_ops(); ops; ops = __atomic_load_n(&ops->next, __ATOMIC_ACQUIRE))
    if (ops->state->exit_bytes && ops_has(ops, regs->id))
      bytes += ops->state->exit_bytes;
  callback_ends(); // the probe may have no entry handler
  return bytes;
}

extern "C" void nophook_exit_handlers(ftrace_regs *regs) {
  uint64_t frame = reinterpret_cast<uint64_t>(regs);
  CallbackThread *thread = begin_callback_frame(frame);
  if (!thread)
    return;
  regs->general.continue_at(regs->general.return_address());
  if (regs->exits == 1)
    call_handler(reinterpret_cast<ExitData *>(regs->exit_area), regs);
  else
    call_handlers(regs);
  callback_ends();
  end_callback_frame(thread, frame);
}

} // namespace nophook
