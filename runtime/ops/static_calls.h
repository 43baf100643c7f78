// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Static tracing: sites that are calls of the module's own mcount (linker-script/mcount.S).
//
// Normally they are turned into NOPs when their module arrives, as the kernel does at boot, and are
// sites like all others from then on. They stay calls if a setting or the link demands it
// (`static=1`), and where the text cannot be written. Then the target that would be written into
// the text is written into a table, and the call looks it up: all tracers, filters and callbacks
// work, no text is touched.
//
// docs/design/static_tracing.md has the price.

#pragma once

#include "base/status.h"
#include "sites/module.h"

namespace nophook {

// Keeps the calls of modules that arrive from now on.
void keep_calls();

// Turns the calls of a module that has just been found into NOPs, and logs the calls that had to
// stay.
void convert_static_calls(Module *module);

// Whether the module of `note` has static calls, and so must be looked at when it arrives.
bool has_static_calls(const nophook_note *note);

// Sets the target of a record's static call: it goes to `target` as a call, or (`jumps`) as a jump;
// 0: it returns. Errors: ENOMEM; ENODEV (the kill switch has been tripped).
Status set_call_target(Module *module, uint32_t index, uint64_t target, bool jumps);

} // namespace nophook
