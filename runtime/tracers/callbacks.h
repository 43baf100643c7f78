// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tracers where they have something to decide or to keep: rules (selection/rules.h), arguments
// and return values, stack traces, another clock. They come to a call by the way of callbacks
// (docs/design/callbacks.md), not by the fast path, of which nothing is different for all that.
// Events and their order are the same.

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

// Makes what the options of an array need before callbacks use them. Errors: ENOMEM.
Status prepare_options(uint32_t options);

// In a callback at a function's entry: the caller is one whose body we, or function_graph, have
// called, and this function has taken its place.
bool is_tail_call(const ftrace_regs *regs);

} // namespace nophook
