// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// current_tracer: which tracer runs, and the steps to start and stop it.

#pragma once

#include "base/status.h"
#include "sites/module.h"

namespace nophook {

// Makes `name` ("nop", "function", "function_graph") the tracer. The old one is off, all its
// sites NOPs again, before the new one starts; frames of function_graph that are in flight
// then return without a record. Hold the runtime's lock.
// Errors: EINVAL (no such tracer), ENODEV (no buffer to write to), and those of the layers
// below; on an error the tracer is nop, or, if its sites cannot be changed, the one before.
Status set_tracer(const char *name);
const char *current_tracer();

// Applies changed filters to the tracer that runs.
Status refilter();

// A module has been loaded, or is about to go. Modules that were there when the tracer started
// are known by then.
Status module_arrived(const nophook_note *note);
void module_leaves(const nophook_note *note);

} // namespace nophook
