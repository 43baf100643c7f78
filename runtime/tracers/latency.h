// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tracing_max_latency: the longest time between two points of a thread, and the trace of it. As the
// kernel's latency tracers do, but between points that the user names: the calls of some functions,
// from entry to return, and pairs of marks. Whenever the maximum is raised, a snapshot sets the
// contents of the rings aside; it replaces the one before (buffer/snapshot.h).
//
// It works beside any tracer. The time that snapshots take does not count for the calls around
// them. A function with entry events only has no time.

#pragma once

#include "base/bytes.h"
#include "base/status.h"
#include "ops/fprobe.h"

#include <nophook/settings.h>

namespace nophook {

struct Buffer;
struct TracerThread;
using LatencyText = Text<4096>;

// The set of arrays that have marks, a bit for each number. In callbacks; valid until they return.
uint32_t arrays_with_latency_marks();

// The latency tracer of one trace_array. All is under the runtime's lock but at_mark() and the
// probe's handlers.
class Latency {
public:
  // set_latency_function: globs, separated by blanks or commas; none: no function. `buffer`: the
  // one whose contents are set aside. Errors: EINVAL, ENOMEM, ENAMETOOLONG.
  Status set_functions(Buffer &buffer, const char *text, uint64_t bytes);
  // set_latency_marks: BEGIN,END, the whole texts of two marks of one thread; empty: none. Errors:
  // EINVAL.
  Status set_marks(Buffer &buffer, const char *text, uint64_t bytes);
  // tracing_max_latency: the time that must be exceeded, in microseconds; nanoseconds are behind a
  // point. Errors: EINVAL.
  Status set_max(const char *text, uint64_t bytes);

  void show_functions(LatencyText &text) const;
  void show_marks(LatencyText &text) const;
  void show_max(LatencyText &text) const;

  // Logs the patterns of set_latency_function that no function matches.
  void report_misses(const char *folder) const;

  // Registers the functions that the environment has set, before there were modules.
  Status start();
  // Stops it: no call begins or ends for it any more. Callbacks may be running in it until a grace
  // period is over; then finish_leaving() resets it.
  void leave();
  void finish_leaving();

  // Called when the calling thread has written a mark, in a callback, or while the array is
  // held.
  void at_mark(const char *text, uint64_t bytes);

private:
  struct Start;
  struct MarkText {
    char text[NOPHOOK_MOST_MARK_BYTES];
    uint32_t bytes;

    bool is(const char *other, uint64_t n) const {
      return n == bytes && equal_bytes(text, other, n);
    }
  };

  static int at_entry(fprobe *, unsigned long, unsigned long, ftrace_regs *, void *data);
  static void at_exit(fprobe *, unsigned long, unsigned long, ftrace_regs *, void *data);
  bool is_longest(const TracerThread *thread, const Start &start);
  void take_snapshots();
  Status prepare_probe(Buffer &buffer);
  void clear_marks();

  fprobe probe_;
  Buffer *buffer_;
  bool is_bound_; // whether there have been functions
  Text<1024> functions_;
  MarkText begin_, end_;
  // Number of the pair of marks; 0: none. No two arrays' are equal, nor two consecutive ones.
  uint64_t pair_;
  uint64_t max_;      // the maximum, in ticks
  uint32_t is_newer_; // whether it is newer than the snapshot
};

} // namespace nophook
