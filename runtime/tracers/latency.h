// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tracing_max_latency: the longest time between two points of a thread, and the trace of it. As the
// kernel's latency tracers do, but between points that the user names: the calls of some functions,
// from entry to return, and pairs of marks. Whenever the maximum is raised, what is in the rings is
// set aside: one snapshot, which takes the place of the one before (buffer/snapshot.h).
//
// It is beside the tracer, whichever that is. The time that snapshots take is no part of a call
// that is around them. A function with entry events only has no time.

#pragma once

#include "base/bytes.h"
#include "base/status.h"

namespace nophook {

// All of the following is under the runtime's lock.

// set_latency_function: globs, separated by `separators`; none: no function. Errors: EINVAL,
// ENOMEM, ENAMETOOLONG.
Status set_latency_functions(const char *text, uint64_t bytes);
// set_latency_marks: BEGIN,END, the whole texts of two marks of one thread; empty: none. Errors:
// EINVAL.
Status set_latency_marks(const char *text, uint64_t bytes);
// tracing_max_latency: what is to be exceeded, in microseconds; nanoseconds are behind a point.
// Errors: EINVAL.
Status set_max_latency(const char *text, uint64_t bytes);

using LatencyText = Text<4096>;
void show_latency_functions(LatencyText &text);
void show_latency_marks(LatencyText &text);
void show_max_latency(LatencyText &text);

// Logs the patterns of set_latency_function that no function matches.
void report_latency_misses();

// Registers what has been read from the environment, before which there were no modules.
Status start_latency();

// A mark has been written by the calling thread.
void latency_at_mark(const char *text, uint64_t bytes);

} // namespace nophook
