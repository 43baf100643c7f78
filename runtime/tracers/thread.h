// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a tracer that comes by callbacks knows of each thread. In memory that is zeroed in a fork
// child: its thread has no open calls, as in the kernel.

#pragma once

#include "tracers/hardware_counters.h"
#include "tracers/open_calls.h"

namespace nophook {

// func-no-repeats: the last call, and how often it has come again.
struct LastCall {
  uint64_t id; // + 1; 0: none
  uint64_t parent;
  uint64_t repeats;
  uint64_t time; // of the last of them
};

struct TracerThread {
  int32_t tid;    // 0: nobody's
  uint32_t epoch; // of the rules that is_chosen is by
  bool is_chosen; // set_ftrace_pid, set_ftrace_notrace_pid
  LastCall last;
  uint64_t snapshot_time; // that its latency snapshots took, so far (tracers/latency.h)
  uint64_t mark_time;     // of the mark that begins an interval; 0: none
  uint64_t mark_spent;    // snapshot_time then
  HardwareCounters hardware;
  OpenCalls calls;
};

// The calling thread's; null without memory. Runs in callbacks. tracers/thread.cpp.
TracerThread *tracer_thread();

// No callback reads hardware counters any more. Under the runtime's lock.
void close_thread_counters();

// Whether the verdict on the calling thread's parent process is known, and which: of `epoch`, when
// the process was forked. `remember` is for the children.
bool inherited_verdict(uint32_t epoch, bool *is_chosen);
void remember_verdict(uint32_t epoch, bool is_chosen);

} // namespace nophook
