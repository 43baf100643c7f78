// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls that leave an instrumented module through its GOT, as functions of the library that they
// go to (docs/design/calls.md).
//
// Off until asked for: no table is read, and no slot is touched. All of this is cold code under the
// runtime's lock.

#pragma once

#include "base/status.h"
#include "sites/module.h"

namespace nophook {

bool calls_are_traced();

// Switches the tracing of calls on or off from the next take_calls() on. Off: every slot gets back
// the address that it had; stubs stay, and nothing calls them.
void trace_calls(bool on);

// Leads the slots of each instrumented module through stubs, those that were lost again included.
// Adds the modules of stubs to `found`. Where something is in doubt the slot is left alone.
// Errors: ENOMEM, EPERM; then some slots may lead to stubs.
Status take_calls(Discovery *found);

// The module is unloaded: its slots are not touched any more.
void forget_calls(const Module *module);

// The work done so far.
struct CallCounts {
  uint64_t slots; // slots that lead to stubs
  uint64_t lost;  // slots that had other addresses at a later look, and were set again
};
CallCounts call_counts();

} // namespace nophook
