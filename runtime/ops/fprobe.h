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

// The probe that an ops belongs to; null: it is nobody's.
::fprobe *probe_of(const ftrace_ops *ops);
// Takes a slot for `probe`, if it has none, and makes its ops one that wants exits, if it has an
// exit handler. Under the runtime's lock. Errors: ENOMEM, EINVAL (more data than a frame should
// hold).
Status bind_probe(::fprobe *probe);
// For its entry: room in the call's frame for the probe's data, and its exit handler will be
// called; null if the exit of this call is not seen.
void *begin_exit(const ::fprobe *probe, ftrace_regs *regs);
// From now on no exit handler of it begins, and calls that begin get none. False: another thread
// has silenced it.
bool silence_probe(::fprobe *probe);
// Calls that begin from now on have exits again.
void revive_probe(::fprobe *probe);
// Gives the slot back, after a grace period.
void unbind_probe(::fprobe *probe);

} // namespace nophook
