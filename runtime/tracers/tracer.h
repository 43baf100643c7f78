// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// current_tracer: which tracer runs, and the steps to start and stop it.

#pragma once

#include "base/status.h"
#include "ops/filter.h"
#include "sites/module.h"

#include <stdint.h>

namespace nophook {

// Makes `name` ("nop", "function", "function_graph", "profile") the tracer. The old one is off, all
// its sites NOPs again, before the new one starts; frames of function_graph that are in flight then
// return without a record. Do not hold the runtime's lock: it waits for callbacks. Errors: EINVAL
// (no such tracer), ENODEV (no buffer to write to), EBUSY (another thread is at it), and those of
// the layers below; on an error the tracer is nop, or, if its sites cannot be changed, the one
// before.
Status set_tracer(const char *name);

// Settings have changed: a tracer that would come to calls in another way if it were started now is
// stopped and started; what is called in between is not recorded. Without the lock; errors as
// set_tracer.
Status follow_settings();

// All that follows is under the runtime's lock.

const char *current_tracer();

// set_ftrace_filter and set_ftrace_notrace: as Filter::change. A tracer that runs follows at once.
// On an error nothing has changed. What matches nothing is no error here: it is for libraries
// that may come.
enum class TracerFilter : uint8_t { kFilter, kNotrace };
Status change_filter(TracerFilter which, const char *text, uint64_t bytes, bool reset,
                     const char *separators);

// The filter itself, for who makes an edit of his own copy of it, and what puts the edited one into
// its place. Errors: ENOMEM; replacing: those of update_sites, and then nothing has changed.
Status tracer_filter(TracerFilter which, Filter **filter);
Status replace_tracer_filter(TracerFilter which, Filter *changed);

// By number, "nop" first.
uint32_t tracer_count();
const char *tracer_name(uint32_t number);

// Before a buffer is opened: which clock its events have, if nobody has said it.
void choose_trace_clock();

// Opens the buffer for the program's own marks, with no tracer. Errors: those of buffer_open.
Status open_for_marks();

// Without tracer and buffer: who else listens to calls does so from now on. Errors: ENOMEM, those
// of update_sites.
Status listen();

// Whether there are events that are not the tracer's: then the buffer is open with no tracer, too.
// Errors: ENODEV (no buffer to write to), those of buffer_open.
Status keep_buffer_on(bool on);
// From now on it is open for marks. Errors: the same.
Status keep_buffer_on_for_marks();

// One log line for each pattern that has matched nothing so far.
void report_misses();

// A module has been loaded. Modules that were there when the tracer started are known by then.
Status module_arrived(const nophook_note *note);

// Whether a module that arrives may matter now. Without the lock: a program that nobody traces does
// not take it.
bool awaits_module(const nophook_note *note);

} // namespace nophook
