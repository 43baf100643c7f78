// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Triggers: commands of set_ftrace_filter that a function carries out when it is called, whether
// the tracer traces it or not.
//
//      GLOB:traceon[:COUNT]               tracing_on; a count goes down if it has changed
//      GLOB:traceoff[:COUNT]              the same
//      GLOB:stacktrace[:COUNT]            the stack, into the trace
//      GLOB:snapshot[:COUNT]              buffer/snapshot.h
//      GLOB:dump[:COUNT]                  the same, and a line in the log
//      GLOB:sample:N  GLOB:ratelimit:N/s  selection/rates.h
//      !GLOB:COMMAND[:0]                  takes it away
//
// Each is an ops of its own with a filter of its own, so libraries that come later are no case. It
// is of the main buffer (0) or of an instance's.

#pragma once

#include "base/status.h"
#include "ops/filter.h"

#include <stdint.h>

namespace nophook {

bool is_trigger_command(const char *token, uint64_t bytes);

// If `token` is a command, carries it out; else `*is_command` is false. Under the runtime's lock;
// a trigger that is taken away may still be running when this returns. Errors: EINVAL, ENOMEM,
// ENOSPC (64 triggers).
// `misses`: whether it may be of no function that is there so far.
Status change_triggers(uint32_t instance, const char *token, uint64_t bytes, Filter::Misses misses,
                       bool *is_command);
// Without the lock, behind it: a trigger that was taken away makes room when it cannot be running
// any more.
void free_removed_triggers();
// Those of an instance are gone with it. Before a grace period, under the lock.
void triggers_leave_instance(uint32_t instance);

// Calls visit(context, trigger) for each of the kernel's, in order of their coming; not the rates.
// Under the lock.
struct TriggerView {
  const char *command;
  const FtraceHash *functions;
  int64_t count; // how often it may still act; below 0: always
};
void each_trigger(uint32_t instance, void (*visit)(void *context, const TriggerView &trigger),
                  void *context);

// Logs the patterns of an instance's that no function matches; `folder` is its.
void report_trigger_misses(uint32_t instance, const char *folder);

// Registers an instance's that were set before there were modules.
Status start_triggers(uint32_t instance);

} // namespace nophook
