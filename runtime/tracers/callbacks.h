// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tracers where they have something to decide or to keep: rules (tracers/rules.h), arguments
// and return values, stack traces, another clock. They come to a call by the way of callbacks
// (docs/design/callbacks.md), not by the fast path, of which nothing is different for all that.
// Events and their order are the same.

#pragma once

#include "base/status.h"
#include "ops/fprobe.h"

namespace nophook {

// The kernel's trace_options.
enum TraceOption : uint32_t {
  kFuncArgs = 1 << 0,        // func-args: function
  kFuncgraphArgs = 1 << 1,   // funcgraph-args: function_graph, on entry
  kFuncgraphRetval = 1 << 2, // funcgraph-retval: function_graph, on return
  kFuncStackTrace = 1 << 3,  // func_stack_trace: function
  kFuncNoRepeats = 1 << 4,   // func-no-repeats: function
  kFunctionFork = 1 << 5,    // function-fork: children are in set_ftrace_pid as their parents are
  kEventFork = 1 << 6,       // event-fork: the same of set_event_pid and set_event_notrace_pid
};
extern uint32_t g_trace_options;
constexpr uint32_t kValueOptions = kFuncArgs | kFuncgraphArgs | kFuncgraphRetval;
constexpr uint32_t kInstanceOptions = kValueOptions | kFuncStackTrace; // that instances have, too

// Names separated by commas; `no` in front clears one. The next tracer that is started does so.
// Under the runtime's lock. Errors: EINVAL (a name is unknown; those before it count).
Status set_trace_options(const char *text, uint64_t bytes);

// Makes `probe` the callback of a tracer, before it is added. Errors: ENOMEM.
Status trace_function_by_callback(::fprobe *probe);
Status trace_graph_by_callback(::fprobe *probe);

// Before values are kept: one log line if those behind pointers cannot be.
void report_unreadable();

// In a callback at a function's entry: the caller is one whose body we, or function_graph, have
// called, and this function has taken its place.
bool is_tail_call(const ftrace_regs *regs);

} // namespace nophook
