// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The state of a thread for a tracer that is a callback. It is in memory that is zeroed in a fork
// child. Only the open calls are the child's, too: it returns through them, and what they have
// chosen (set_graph_function, set_graph_notrace, max_graph_depth) holds for what it calls.

#pragma once

#include "buffer/trace_buffer.h"
#include "capture/hardware_counters.h"
#include "capture/open_calls.h"

namespace nophook {

struct Profile;

// func-no-repeats: the last call, and how often it has come again.
struct LastCall {
  uint64_t id;    // + 1; 0: none
  uint64_t start; // of the tracer that saw it (trace_array::starts)
  uint64_t parent;
  uint64_t repeats;
  uint64_t time; // of the last of them
};

// The mark that begins a latency.
struct ThreadMark {
  uint64_t time;  // 0: none
  uint64_t spent; // TracerThread::snapshot_time then
  uint64_t pair;  // of the two texts that it is one of (tracers/latency.h)
};

// What one trace_array knows of a thread.
struct ThreadInArray {
  LastCall last;
  ThreadMark mark;
  HardwareCounters hardware;
  Profile *profile; // its counts (tracers/profiler.h); null: none so far
};

struct TracerThread {
  int32_t tid;            // 0: free
  uint64_t snapshot_time; // that its latency snapshots took, so far (tracers/latency.h)
  ThreadInArray in[kTraceArrays];
};

// The calling thread's; null without memory. Runs in callbacks. capture/tracer_thread.cpp.
TracerThread *tracer_thread();

// Its open calls as the trace_array `array` sees them. Null without memory. In callbacks.
OpenCalls *open_calls(TracerThread *thread, uint32_t array);

// No callback reads hardware counters for the array any more. Under the runtime's lock.
void close_thread_counters(uint32_t array);

// The array's profiler goes, and no callback counts any more. Under the runtime's lock.
void forget_profiles(uint32_t array);

// Whether the thread is one of those that an array has chosen by number. A fork child's thread has
// that of the thread that forked, `is_parents`, until it is given one of its own. In callbacks.
struct ThreadVerdict {
  uint32_t epoch; // of the array's lists; 0: none
  bool is_chosen;
  bool is_parents;
};
ThreadVerdict thread_verdict(const TracerThread *thread, uint32_t array);
void keep_thread_verdict(TracerThread *thread, uint32_t array, ThreadVerdict verdict);

} // namespace nophook
