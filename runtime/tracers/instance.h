// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Instances: tracers beside the main one, each with its own buffer, functions, switch and marks.
//
// An instance's tracer is one of those who want functions (ops/ops.h): that keeps its functions
// apart from all others', and calls everybody who wants a function once. So it comes to calls by
// callbacks, and the main tracer's fast paths know nothing of it.
//
// There are 15 places. Their memory stays; what goes away with an instance is its buffer, when no
// callback can be in it any more and nobody holds the instance (a file of it is open). A fork child
// does not continue its parent's: its threads write nothing to them, and the first look at the
// instances removes them there.

#pragma once

#include "base/bytes.h"
#include "buffer/buffer.h"
#include "ops/fprobe.h"
#include "tracers/cpu_mask.h"
#include "tracers/pid_list.h"
#include "tracers/tracer.h"

namespace nophook {

struct Instance {
  enum State : uint8_t { kFree, kThere, kLeaving };
  State state;
  const char *tracer;       // one of instance_tracer_name()
  int32_t leaver;           // kLeaving: the process whose thread removes it
  uint32_t users;           // who holds it
  uint32_t listed;          // modules that the buffer's readers know
  uint32_t recorded;        // kInstanceOptions; read by callbacks
  uint64_t changed_options; // of those that are about the text: others than at first
  ChosenThreads threads;    // set_ftrace_pid, set_ftrace_notrace_pid
  CpuMask cpus;             // tracing_cpumask
  Text<64> name;
  void (*leaves)(uint32_t number);
  Buffer buffer; // its number is the instance's, from 1 on
  fprobe probe;
};
constexpr uint32_t kMaxInstanceName = 63;

// mkdir and rmdir. Without the lock: they wait for callbacks. Errors: EINVAL (no name for a
// folder), ENAMETOOLONG, EEXIST, ENOSPC (there are 15), ENODEV (no buffer_dir), those of making a
// buffer; ENOENT, EBUSY (somebody holds it). What else writes to instances stops that by `leaves`,
// which is called under the lock with the instance's number, before the grace period and after it.
Status make_instance(const char *name, void (*leaves)(uint32_t number));
Status remove_instance(const char *name);

// Who writes to several by their numbers asks here: those that may be written to, a bit each, the
// main buffer's (0) among them. In callbacks: until they return.
uint32_t instances_there();

// By its name, of which `bytes` count; it cannot be removed before it is released. Without the
// lock. Null: there is none. `generation` says which one it is, also in a fork child, where it is
// none any more: using it is then for nothing, and harmless.
Instance *hold_instance(const char *name, uint64_t bytes, uint64_t *generation);
void release_instance(Instance *instance, uint64_t generation);
bool instance_is_gone(const Instance *instance, uint64_t generation);

// By number, without the lock. Of the buffer: 0 is the main one.
Instance *instance_numbered(uint32_t number);
inline Buffer &buffer_of(uint64_t number) {
  return number ? instance_numbered((uint32_t)number)->buffer : g_buffer;
}
// Calls visit(name, context) for each, by rising names, without the lock.
void visit_instances(void (*visit)(const char *name, void *context), void *context);

// As those of the main tracer (tracers/tracer.h); who calls holds the instance.
Status set_instance_tracer(Instance *instance, const char *name);
uint32_t instance_tracer_count();
const char *instance_tracer_name(uint32_t number); // "nop" first
// One of kInstanceOptions. Under the lock; a tracer that runs follows at once. Errors: ENOMEM.
Status set_instance_option(Instance *instance, uint32_t option, bool on);
Status instance_filter(Instance *instance, TracerFilter which, Filter **filter);
Status replace_instance_filter(Instance *instance, TracerFilter which, Filter *changed);

// Readers of all instances know the modules that have been found. Under the lock. Errors: those of
// write.
Status instances_follow_modules();
bool has_instances();
bool instances_keep_values(); // whether one has an option that needs capture plans

// For instance.cpp. Under the lock: its functions lead to it no more, but callbacks may be running
// in it until a grace period is over; then finish.
Status stop_instance_tracer(Instance *instance);
void finish_instance_tracer(Instance *instance);

} // namespace nophook
