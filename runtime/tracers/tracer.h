// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// current_tracer: the list of tracers, the one that an array runs, and the steps to start and stop
// it.

#pragma once

#include "base/status.h"
#include "ops/filter.h"
#include "sites/module.h"
#include "tracers/trace_array.h"

#include <stdint.h>

namespace nophook {

// A tracer: one row of the table in tracers/tracer.cpp. "nop" has no row.
struct Tracer {
  const char *name;
  uint32_t event; // kind in nophook/tracers.h; the next field is there, too
  uint32_t form;
  // The fast path that the top level has for it; kCallback: it has none.
  Role role;
  // The bits of TraceOption that it follows. With one of them set it is a callback.
  uint32_t options;
  // Makes its callback the one of the array's probe.
  Status (*by_callback)(trace_array &tr);
  // Prepares its own data, when its buffer is open and before its first site is enabled. Null: it
  // has none.
  Status (*prepare)(trace_array &tr);

  // Whether depth, threshold and the sets of graph functions apply to it.
  bool is_graph() const { return form == NOPHOOK_FORM_GRAPH; }
  // Whether it writes no events. The threshold, which its fast path knows, is the only setting that
  // chooses calls for it.
  bool is_profiler() const { return nophook_form_is_profile(form); }
  bool writes_events() const { return !is_profiler(); }
  // Whether it reads the CPU's counter, whatever the buffer's clock is.
  bool has_own_clock() const { return role == Role::kProfile; }
};

// All tracers, in the reverse order of available_tracers.
struct Tracers {
  const Tracer *first, *behind;
  const Tracer *begin() const { return first; }
  const Tracer *end() const { return behind; }
};
Tracers tracers();

// Makes `name` the tracer of an array; "nop": none. The old tracer is off, and all its sites are
// NOPs again, before the new one starts; open calls of function_graph then return without a record.
// Do not hold the runtime's lock: it waits for callbacks. Errors: EINVAL (there is no such tracer),
// ENODEV (no buffer to write to), EBUSY (another thread is changing it), and those of the layers
// below; on an error the tracer is nop, or, if its sites cannot be changed, the one before.
Status set_tracer(trace_array &tr, const char *name);
// The name of the array's tracer, or "nop". Under the lock.
const char *current_tracer(const trace_array &tr);

// Follows changed settings: if they need another way for calls to reach the tracer, it is stopped
// and started. Calls in the meantime are not recorded. Without the lock; errors as set_tracer.
Status follow_settings(trace_array &tr);

// Switches one or several of TraceOption. Without the lock: a running tracer follows, as by
// follow_settings(). Errors: ENOMEM, and those of set_tracer.
Status set_trace_option(trace_array &tr, uint32_t options, bool on);

// All functions below are under the runtime's lock.

// Reads names of the kernel's trace_options, separated by commas; `no` in front clears one. For a
// process that starts: the next tracer follows them. Errors: EINVAL (a name is unknown; those
// before it count).
Status read_trace_options(trace_array &tr, const char *text, uint64_t bytes);

// set_ftrace_filter and set_ftrace_notrace: as Filter::change. A running tracer follows at once. On
// an error nothing has changed. A pattern without a match is no error here: it may match libraries
// that come later.
enum class TracerFilter : uint8_t { kFilter, kNotrace };
Status change_filter(trace_array &tr, TracerFilter which, const char *text, uint64_t bytes,
                     bool reset, const char *separators);

// The filter itself, for a client that edits its own copy of it, and the function that puts the
// edited one into its place. Errors: ENOMEM; replacing: those of update_sites, and then nothing has
// changed.
Status tracer_filter(trace_array &tr, TracerFilter which, Filter **filter);
Status replace_tracer_filter(trace_array &tr, TracerFilter which, Filter *changed);

// For tracers/trace_array.cpp. Stops the tracer: the array's functions do not lead to it any more,
// but callbacks may be running in it until a grace period is over; then finish.
Status stop_tracer(trace_array &tr);
void finish_tracer_removal(trace_array &tr);

// Chooses the clock of events before a buffer is opened, unless a setting has chosen it.
void choose_trace_clock();

// Opens the top level's buffer for the program's own marks, with no tracer. Errors: those of
// buffer_open.
Status open_for_marks();

// Starts all other listeners to calls, without a tracer and a buffer. Errors: ENOMEM, those of
// update_sites.
Status listen();

// Keeps the buffer open without a tracer, or no longer: there are events that are not the tracer's.
// Errors: ENODEV (no buffer to write to), those of buffer_open.
Status keep_buffer_on(bool on);
// Keeps it open for marks from now on. Errors: the same.
Status keep_buffer_on_for_marks();

// One log line for each pattern of an array that has matched nothing so far.
void report_misses(trace_array &tr);

// Called when a module has been loaded. Modules from before the tracer's start are known by
// then.
Status module_arrived(const nophook_note *note);
// The work of module_arrived() for an awaited module; also after `calls` has been switched on.
Status take_new_modules();

// Whether a module that arrives may matter now. Without the lock: an untraced program does not take
// it.
bool awaits_module(const nophook_note *note);

} // namespace nophook
