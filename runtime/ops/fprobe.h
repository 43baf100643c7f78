// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fprobe: a handler for entry and one for exit, with data that goes from one to the other.
//
// The entry handler is a callback like any other. Its data lies in the frame of the call
// (ftrace_exit_caller), so it lives and dies with that, whatever unwinds it. A call that is still
// open when its probe is unregistered returns in silence: it knows the probe by a slot that is
// never anything else and a number that changes.

#pragma once

#include "ops/ops.h"

// A place of a registered probe. The name is the public header's.
struct nophook_probe_slot {
  nophook_probe_slot *next_free;
  uint64_t generation;
  struct fprobe *probe;
};

namespace nophook {

using ProbeSlot = ::nophook_probe_slot;

// The head of a probe's data in the frame of a call.
struct alignas(16) ExitData {
  ProbeSlot *slot;
  uint64_t generation;
  uint64_t bytes; // size of the data and this head
};

// The generation of a slot is odd while it has a probe whose exits are seen.
inline bool is_live(uint64_t generation) {
  return generation & 1;
}

// Begins the exit in an unused part of the frame, at `at`.
inline void *begin_exit_at(const fprobe *probe, ftrace_regs *regs, char *at) {
  ProbeSlot *slot = probe->slot;
  const uint64_t generation = __atomic_load_n(&slot->generation, __ATOMIC_ACQUIRE);
  const uint64_t bytes = probe->ops.state->exit_bytes;
  // It is not live if it is being unregistered: then it is gone before the call ends.
  if (at + bytes > regs->exit_end || !is_live(generation))
    return nullptr;
  auto *data = reinterpret_cast<ExitData *>(at);
  data->slot = slot;
  data->generation = generation;
  data->bytes = bytes;
  regs->exits++;
  return data + 1;
}

// Takes room in the call's frame for the probe's data, at its entry, so that its exit handler will
// be called; null if the exit of this call is not seen.
inline void *begin_exit(const fprobe *probe, ftrace_regs *regs) {
  if (!regs->exit_area || !regs->can_exit)
    return nullptr;
  char *at = regs->exit_area;
  for (uint32_t i = 0; i < regs->exits; i++)
    at += reinterpret_cast<ExitData *>(at)->bytes;
  return begin_exit_at(probe, regs, at);
}

// The same for the first probe of a call, as most probes are; null for others, too.
inline void *begin_first_exit(const fprobe *probe, ftrace_regs *regs) {
  const bool is_first = regs->exit_area && regs->can_exit && !regs->exits;
  return is_first ? begin_exit_at(probe, regs, regs->exit_area) : nullptr;
}

// The probe that an ops belongs to; null: it belongs to none.
::fprobe *probe_of(const ftrace_ops *ops);
// Takes a slot for `probe`, if it has none, and makes its ops one that wants exits, if it has an
// exit handler. Under the runtime's lock. Errors: ENOMEM, EINVAL (more data than a frame should
// hold).
Status bind_probe(::fprobe *probe);
// Silences the probe: from now on no exit handler of it begins, and calls that begin get none.
// False: another thread has silenced it.
bool silence_probe(::fprobe *probe);
// Gives exits to calls that begin from now on.
void revive_probe(::fprobe *probe);
// Gives the slot back, after a grace period.
void unbind_probe(::fprobe *probe);

} // namespace nophook
