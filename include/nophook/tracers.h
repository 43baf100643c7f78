// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Contract: the tracers, by the names in available_tracers.
//
// X(name, kind, form, line of help). The kind is what nophook_buffer::tracer has: that of the
// tracer's first event, or NOPHOOK_TRACER_PROFILE. The form is how its events are shown; buffers
// and recordings hold it beside the name, so a reader that does not know a tracer shows it all the
// same.
//
// Read by:  the runtime, whose table (runtime/tracers/tracer.cpp) has a row for each, and the
//           commands of nophook: record -p, completion, help.

#ifndef NOPHOOK_TRACERS_H
#define NOPHOOK_TRACERS_H

#include <nophook/buffer.h>

// clang-format off
#define NOPHOOK_TRACERS(X)                                                                         \
  X(function, NOPHOOK_EVENT_FUNCTION, NOPHOOK_FORM_CALLS, "each call, with its caller")            \
  X(function_graph, NOPHOOK_EVENT_ENTRY, NOPHOOK_FORM_GRAPH, "each call with its return and time") \
  X(profile, NOPHOOK_TRACER_PROFILE, NOPHOOK_FORM_COUNTS, "counts and times by function, no events") \
  X(hits, NOPHOOK_TRACER_PROFILE, NOPHOOK_FORM_HITS, "counts by function, no times and no events")
// clang-format on

#endif
