// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Steps of a process that is being traced as the lines of `trace`.

#pragma once

#include "read/steps/measure.h"
#include "show/live/description.h"
#include "show/print/trace_text.h"

namespace nophook {

class LiveText {
public:
  static Result<std::unique_ptr<LiveText>> create(const SharedBuffer &buffer,
                                                  const TraceOptions &options,
                                                  NameStyle names = NameStyle::kFull);

  // The state of the process for which an object was made.
  struct State {
    uint64_t list_bytes; // size of the list of its functions
    uint32_t clock;
    uint64_t start;
    bool operator==(const State &) const = default;
  };

  LiveText(Recording recording, const State &state, const TraceOptions &options, NameStyle names)
      : recording_(std::move(recording)), functions_(recording_, names), output_(Output::kMemory),
        text_(output_, functions_, recording_, options), state_(state),
        measure_(options.sleep_time ? Measure::kTime : Measure::kOnCpu) {}

  // Whether the process has more functions, another clock, or another tracer, than when this object
  // was made.
  bool is_old(const SharedBuffer &buffer) const;
  bool has_clock_of(const SharedBuffer &buffer) const;
  void follow_clock(const SharedBuffer &buffer); // renews the clock

  void header(const EntryCounts &entries) { text_.header(entries); }
  void step(const Thread &thread, Step step) {
    apply(measure_, &step);
    text_.step(thread, step);
  }
  void finish() { text_.finish(); }
  size_t size() { return output_.size(); }
  std::string take() { return output_.take(); } // takes the lines so far

  const Recording &recording() const { return recording_; }
  Functions &functions() { return functions_; }

private:
  Recording recording_;
  Functions functions_;
  Output output_;
  TraceText text_;
  State state_;
  Measure measure_;
};

} // namespace nophook
