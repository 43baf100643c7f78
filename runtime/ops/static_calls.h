// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Static tracing: sites that are calls of the module's own mcount (linker-script/mcount.S).
//
// Normally they are turned into NOPs when their module arrives, as the kernel does at boot, and
// are sites like all others from then on. They stay calls if that is asked for (`static=1`, or
// when the module was linked) and where the text cannot be written. Then what would be written
// into the text is written into a table, and the call looks it up: all tracers, filters and
// callbacks work, no text is touched.
//
// docs/design/static_tracing.md has the price.

#pragma once

#include "base/status.h"
#include "sites/module.h"

namespace nophook {

// From now on calls of modules that arrive are kept.
void keep_calls();

// For a module that has just been found: turns into NOPs what is to be, and says what had to stay.
void convert_static_calls(Module *module);

// Whether the module of `note` has static calls, and so wants to be looked at when it arrives.
bool has_static_calls(const nophook_note *note);

// What the static call of a record does from now on: goes to `target` as a call, or (`jumps`) as a
// jump; 0: returns. Errors: ENOMEM; ENODEV (the kill switch has been tripped).
Status set_call_target(Module *module, uint32_t index, uint64_t target, bool jumps);

} // namespace nophook
