// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// struct trace_array, as in the kernel: a buffer with the tracer and the settings that write to it.
// Number 0 is the top level of the control tree; numbers 1 to 15 are the instances, which a mkdir
// in instances/ makes.
//
// Each has its own tracer, functions, rules, options, switch and marks, and its own ops
// (ops/ops.h): that keeps its functions apart from those of all others. Whatever an array does, it
// does by callbacks (tracers/callbacks.h). Number 0 has one property more: where its settings allow
// that, its sites lead to the assembly's fast paths, which write to g_buffer.
//
// The memory of a removed instance stays. Its buffer is removed when no callback can be in it any
// more and no client holds it (by an open file). A fork child does not continue its parent's
// instances: its threads write nothing to them, and the first look at the instances removes them
// there. It continues number 0.

#pragma once

#include "base/bytes.h"
#include "buffer/trace_buffer.h"
#include "ops/fprobe.h"
#include "selection/rules.h"
#include "tracers/latency.h"
#include "tracers/profiler.h"

namespace nophook {

struct Tracer; // tracers/tracer.h
constexpr uint32_t kMaxInstanceName = 63;

// The options among the kernel's trace_options that choose what is recorded.
enum TraceOption : uint32_t {
  kFuncArgs = 1 << 0,        // func-args: function
  kFuncgraphArgs = 1 << 1,   // funcgraph-args: function_graph, on entry
  kFuncgraphRetval = 1 << 2, // funcgraph-retval: function_graph, on return
  kFuncStackTrace = 1 << 3,  // func_stack_trace: function
  kFuncNoRepeats = 1 << 4,   // func-no-repeats: function
  kFunctionFork = 1 << 5,    // function-fork: children are in set_ftrace_pid if their parents are
  kEventFork = 1 << 6,       // event-fork: the same for set_event_pid and set_event_notrace_pid
};
// Bits beside these in Rules::beyond_plain().
constexpr uint32_t kHasCounters = 1 << 29, kHasOtherClock = 1 << 30;
constexpr uint32_t kValueOptions = kFuncArgs | kFuncgraphArgs | kFuncgraphRetval;

struct trace_array {
  uint32_t number;
  const Tracer *tracer;     // the current tracer; null: nop
  uint64_t starts;          // number of tracers that have been started so far
  uint32_t listed;          // number of modules that the buffer's readers know
  uint32_t options;         // set of TraceOption; read by callbacks
  uint64_t changed_options; // options of the text that differ from their defaults
  uint32_t perf_counters;   // set of counters, a bit for each (capture/counters.h)
  uint32_t counted;         // the same, as it was when the tracer was started
  Rules rules;
  // The tracer as an ops that wants functions. Its callback is the fast path, or one that decides
  // or keeps something.
  fprobe probe;
  Latency latency;
  Profiler profiler;

  // The fields below are used by instances only.
  enum State : uint8_t { kFree, kThere, kLeaving };
  State state;
  int32_t leaver; // kLeaving: process whose thread removes it
  uint32_t users; // number of clients that hold it
  Text<64> name;
  void (*leaves)(uint32_t number);
  Buffer own_buffer;

  bool is_top() const { return number == 0; }
  Buffer &buffer() { return number ? own_buffer : g_buffer; }
  const Buffer &buffer() const { return number ? own_buffer : g_buffer; }
  // Renews the bits after a change of options, `counted` or the clock, under the runtime's lock:
  // callbacks read them by rules.beyond_plain().
  void renew_beyond_plain();
  // The present options, in callbacks; pairs with set_trace_option().
  uint32_t options_now() const { return __atomic_load_n(&options, __ATOMIC_ACQUIRE); }
};

// The array with this number, without the lock. An instance that does not exist has no buffer.
trace_array &array_numbered(uint32_t number);
inline trace_array &top_array() {
  return array_numbered(0);
}
inline Buffer &buffer_of(uint64_t number) {
  return array_numbered((uint32_t)number).buffer();
}
// Calls visit(trace_array &) for the top level and each instance that is this process's. Under the
// runtime's lock.
template <class Visit> void each_array(Visit visit) {
  visit(top_array());
  for (uint32_t number = 1; number < kTraceArrays; number++) {
    trace_array &tr = array_numbered(number);
    if (tr.state == trace_array::kThere && buffer_is_own(tr.own_buffer))
      visit(tr);
  }
}

// mkdir and rmdir. Without the lock: they wait for callbacks. Errors: EINVAL (no name for a
// folder), ENAMETOOLONG, EEXIST, ENOSPC (there are 15), ENODEV (no buffer_dir), those of making a
// buffer; ENOENT, EBUSY (it is held). Other writers to instances stop in `leaves`, which is
// called under the lock with the instance's number, before the grace period and after it.
Status make_instance(const char *name, void (*leaves)(uint32_t number));
Status remove_instance(const char *name);

// The set of arrays that may be written to, a bit for each number, with the top level (bit 0): for
// a writer that selects several arrays by number. In callbacks; valid until they return.
uint32_t arrays_there();

// Holds the instance `name`, `bytes` long, so that it cannot be removed before it is released.
// Without the lock. Null: there is none. `generation` identifies it, also in a fork child, where it
// does not exist any more: its use there has no effect.
trace_array *hold_instance(const char *name, uint64_t bytes, uint64_t *generation);
void release_instance(trace_array *instance, uint64_t generation);
bool instance_is_gone(const trace_array *instance, uint64_t generation);

// Calls visit(name, context) for each instance, in the order of names, without the lock.
void visit_instances(void (*visit)(const char *name, void *context), void *context);

// Lists the modules that have been found for readers of all instances. Under the lock. Errors:
// those of write.
Status instances_follow_modules();
bool has_instances();

} // namespace nophook
