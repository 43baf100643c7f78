// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tracers with arguments and return values. They come to a call by the way of callbacks
// (docs/design/callbacks.md), not by the fast path: what it costs to keep values is more than
// what the fast path saves. Events and their order are the same.

#pragma once

#include "base/status.h"
#include "ops/fprobe.h"

namespace nophook {

// The kernel's trace_options.
enum TraceOption : uint32_t {
  kFuncArgs = 1 << 0,        // func-args: function
  kFuncgraphArgs = 1 << 1,   // funcgraph-args: function_graph, on entry
  kFuncgraphRetval = 1 << 2, // funcgraph-retval: function_graph, on return
};
extern uint32_t g_trace_options;

// Names separated by commas; `no` in front clears one. The next tracer that is started does so.
// Under the runtime's lock. Errors: EINVAL (a name is unknown; those before it count).
Status set_trace_options(const char *text, uint64_t bytes);

// Makes `probe` the callback of a tracer that keeps values, before it is added. Errors: ENOMEM.
Status trace_function_values(::fprobe *probe);
Status trace_graph_values(::fprobe *probe);

} // namespace nophook
