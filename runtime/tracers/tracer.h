// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// current_tracer: which tracers there are, which one an array runs, and the steps to start and stop
// it.

#pragma once

#include "base/status.h"
#include "ops/filter.h"
#include "sites/module.h"
#include "tracers/trace_array.h"

#include <stdint.h>

namespace nophook {

// A tracer: one row of the table in tracers/tracer.cpp. "nop" has none.
struct Tracer {
  const char *name;
  uint32_t event; // its kind in nophook/tracers.h, as the next
  uint32_t form;
  // The fast path that the top level has for it; kCallback: it has none.
  Role role;
  // The bits of TraceOption that it follows. With one of them it is a callback.
  uint32_t options;
  // Makes the array's probe its callback.
  Status (*by_callback)(trace_array &tr);
  // What it needs beside, when its buffer is open and before its first site is enabled. Null:
  // nothing.
  Status (*prepare)(trace_array &tr);

  // Depth, threshold and the sets of graph functions are for such a tracer alone.
  bool is_graph() const { return form == NOPHOOK_FORM_GRAPH; }
  // It writes no events. The threshold, which its fast path knows, is the only setting that chooses
  // calls for it.
  bool is_profiler() const { return nophook_form_is_profile(form); }
  bool writes_events() const { return !is_profiler(); }
  // It reads the CPU's counter, whatever the buffer's clock is.
  bool has_own_clock() const { return role == Role::kProfile; }
};

// All of them, in the order of available_tracers backwards.
struct Tracers {
  const Tracer *first, *behind;
  const Tracer *begin() const { return first; }
  const Tracer *end() const { return behind; }
};
Tracers tracers();

// Makes `name` the tracer of an array; "nop": none. The old one is off, all its sites NOPs again,
// before the new one starts; calls of function_graph that are open then return without a record. Do
// not hold the runtime's lock: it waits for callbacks. Errors: EINVAL (there is no such
// tracer), ENODEV (no buffer to write to), EBUSY (another thread is at it), and those of the layers
// below; on an error the tracer is nop, or, if its sites cannot be changed, the one before.
Status set_tracer(trace_array &tr, const char *name);
// "nop" or its name. Under the lock.
const char *current_tracer(const trace_array &tr);

// Settings have changed: if they need another way for calls to reach the tracer, it is stopped and
// started. Calls in between are not recorded. Without the lock; errors as set_tracer.
Status follow_settings(trace_array &tr);

// One or several of TraceOption. Without the lock: a tracer that runs follows, as by
// follow_settings(). Errors: ENOMEM, and those of set_tracer.
Status set_trace_option(trace_array &tr, uint32_t options, bool on);

// All that follows is under the runtime's lock.

// Names of the kernel's trace_options, separated by commas; `no` in front clears one. For a process
// that starts: the next tracer follows them. Errors: EINVAL (a name is unknown; those before it
// count).
Status read_trace_options(trace_array &tr, const char *text, uint64_t bytes);

// set_ftrace_filter and set_ftrace_notrace: as Filter::change. A tracer that runs follows at once.
// On an error nothing has changed. What matches nothing is no error here: it is for libraries
// that may come.
enum class TracerFilter : uint8_t { kFilter, kNotrace };
Status change_filter(trace_array &tr, TracerFilter which, const char *text, uint64_t bytes,
                     bool reset, const char *separators);

// The filter itself, for a client that edits its own copy of it, and what puts the edited one into
// its place. Errors: ENOMEM; replacing: those of update_sites, and then nothing has changed.
Status tracer_filter(trace_array &tr, TracerFilter which, Filter **filter);
Status replace_tracer_filter(trace_array &tr, TracerFilter which, Filter *changed);

// For tracers/trace_array.cpp: the array's functions lead to it no more, but callbacks may be
// running in it until a grace period is over; then finish.
Status stop_tracer(trace_array &tr);
void finish_tracer_removal(trace_array &tr);

// Before a buffer is opened: which clock its events have, if nobody has said it.
void choose_trace_clock();

// Opens the top level's buffer for the program's own marks, with no tracer. Errors: those of
// buffer_open.
Status open_for_marks();

// Without tracer and buffer: all else that listens to calls does so from now on. Errors: ENOMEM,
// those of update_sites.
Status listen();

// Whether there are events that are not the tracer's: then the buffer is open with no tracer, too.
// Errors: ENODEV (no buffer to write to), those of buffer_open.
Status keep_buffer_on(bool on);
// From now on it is open for marks. Errors: the same.
Status keep_buffer_on_for_marks();

// One log line for each pattern of an array that has matched nothing so far.
void report_misses(trace_array &tr);

// A module has been loaded. Modules that were there when the tracer started are known by then.
Status module_arrived(const nophook_note *note);
// What that does for a module that is awaited; also after `calls` has been switched on.
Status take_new_modules();

// Whether a module that arrives may matter now. Without the lock: a program that nobody traces does
// not take it.
bool awaits_module(const nophook_note *note);

} // namespace nophook
