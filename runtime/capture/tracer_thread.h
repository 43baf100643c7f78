// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The state of a thread for a tracer that is a callback. It is in memory that is zeroed in a fork
// child. Only the open calls are the child's, too: it returns through them, and their effect
// (set_graph_function, set_graph_notrace, max_graph_depth) holds for the child's calls.

#pragma once

#include "buffer/trace_buffer.h"
#include "capture/hardware_counters.h"
#include "capture/open_calls.h"

namespace nophook {

struct Profile;

// func-no-repeats: the last call, and the number of its repetitions.
struct LastCall {
  uint64_t id;    // id of its function + 1; 0: none
  uint64_t start; // number of the tracer that saw it (trace_array::starts)
  uint64_t parent;
  uint64_t repeats;
  uint64_t time; // time of the last repetition
};

// The mark that begins a latency.
struct ThreadMark {
  uint64_t time;  // time of the mark; 0: none
  uint64_t spent; // TracerThread::snapshot_time at the mark
  uint64_t pair;  // number of the pair of texts that it is one of (tracers/latency.h)
};

// The state of a thread for one trace_array.
struct ThreadInArray {
  LastCall last;
  ThreadMark mark;
  HardwareCounters hardware;
  Profile *profile; // counts of the thread (tracers/profiler.h); null: none so far
};

struct TracerThread {
  int32_t tid;            // the thread; 0: the record is free
  uint64_t snapshot_time; // time that its latency snapshots have taken so far (tracers/latency.h)
  ThreadInArray in[kTraceArrays];
};

// The calling thread's state; null without memory. Runs in callbacks. capture/tracer_thread.cpp.
TracerThread *tracer_thread();

// The open calls of the thread for the trace_array `array`. Null without memory. In callbacks.
OpenCalls *open_calls(TracerThread *thread, uint32_t array);

// Closes the hardware counters of an array, which no callback reads any more. Under the runtime's
// lock.
void close_thread_counters(uint32_t array);

// Drops the counts of an array whose profiler is removed, and in which no callback counts any more.
// Under the runtime's lock.
void forget_profiles(uint32_t array);

// Whether the thread is one of those that an array has chosen by number. A fork child's thread has
// the verdict on the thread that forked, `is_parents`, until it gets its own. In callbacks.
struct ThreadVerdict {
  uint32_t epoch; // epoch of the array's lists; 0: none
  bool is_chosen;
  bool is_parents;
};
ThreadVerdict thread_verdict(const TracerThread *thread, uint32_t array);
void keep_thread_verdict(TracerThread *thread, uint32_t array, ThreadVerdict verdict);

} // namespace nophook
