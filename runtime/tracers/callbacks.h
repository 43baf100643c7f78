// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tracers when they have something to decide or to keep: rules (selection/rules.h), arguments
// and return values, stack traces, another clock. Calls then reach them as callbacks
// (docs/design/callbacks.md), not by the fast path, which stays unchanged. Events and their order
// are the same.

#pragma once

#include "base/status.h"
#include "tracers/trace_array.h"

#include <nophook/tracers.h>

namespace nophook {

// Make the array's probe the callback of a tracer, before its ops is added: one function for each
// tracer of nophook/tracers.h that has callbacks. Under the runtime's lock. Errors: ENOMEM.
#define NOPHOOK_DECLARE(name, kind, form, help) Status trace_##name##_by_callback(trace_array &tr);
NOPHOOK_TRACERS(NOPHOOK_DECLARE)
#undef NOPHOOK_DECLARE

// Prepares the tables that the options of an array need, before callbacks use them. Errors: ENOMEM.
Status prepare_options(uint32_t options);

// Whether the call is a tail call, in a callback at a function's entry: its caller is a function
// whose body we, or function_graph, have called, and this function has taken its place.
bool is_tail_call(const ftrace_regs *regs);

} // namespace nophook
