// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The time that tracing itself adds to a traced call, estimated from the recording.
//
// A call that makes 100,000 traced calls of a nanosecond takes 40 times as long while they are
// traced, and a reader who does not know that optimizes the wrong thing. The cost differs between
// machines, and with arguments and counters, so no table has it. But a recording with tiny
// functions shows it: between the begins of two calls without traced calls in them, one right after
// the other, are one call's tracing and what the program did. The short ones of these times are
// nearly all tracing. The estimate is the lower quartile of those within three times the shortest.
//
// A recording without tiny functions has no such times; a limit keeps their work from being taken
// for tracing: 250 ns, several times what two events cost.

#pragma once

#include "read/analyse/duration_histogram.h"
#include "read/recording/reader.h"
#include "read/steps/timeline.h"

namespace nophook {

class TracingCost {
public:
  // The steps of each thread in their order, one thread after the other.
  void begin_thread() { last_ = {}; }
  void step(const Step &step) {
    if (step.is_leaf() && last_.is_leaf && step.stack == last_.stack && step.depth == last_.depth &&
        step.tsc > last_.tsc)
      gaps_.add(step.tsc - last_.tsc);
    last_ = {step.is_leaf(), step.stack, step.depth, step.tsc};
  }

  void merge(const TracingCost &other) { gaps_.merge(other.gaps_); }

  // The cost of one call in nanoseconds, of its entry and its exit; 0: the recording does not show
  // it.
  uint64_t call_ns(const TscClock &clock) const;

private:
  struct Last {
    bool is_leaf = false;
    uint32_t stack = 0, depth = 0;
    uint64_t tsc = 0;
  };
  Last last_;
  DurationHistogram gaps_; // in ticks
};

// The factor by which tracing slowed down a call of `ns`, of which `tracing_ns` are tracing; 1: not
// at all.
double slowdown(uint64_t ns, uint64_t tracing_ns);

} // namespace nophook
