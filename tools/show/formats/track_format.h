// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The common part of the formats with a time axis: the four shapes of steps, on the track of their
// thread's stack. An interval that is known at its end, as of a call that tracing_thresh has timed,
// is timed_call(); all instants have a name and values.

#pragma once

#include "read/steps/call_values.h"
#include "show/formats/event_format.h"

namespace nophook {

class TrackFormat : public EventFormat {
public:
  explicit TrackFormat(const FormatContext &context) : context_(context) {}

  Result<> step(const Thread &thread, const Step &step) final;
  Result<> still_open(const Thread &thread, const Step &step) final {
    return end_call(thread, step, step.tsc);
  }

protected:
  struct Instant {
    std::string name;
    const char *category; // call, end, lost, mark, stack, repeats
    std::vector<NamedValue> values;
  };

  // Begins a call at step.tsc.
  virtual Result<> begin_call(const Thread &thread, const Step &step) = 0;
  // Ends the innermost call that has begun on this stack; `step` has its duration and result.
  virtual Result<> end_call(const Thread &thread, const Step &step, uint64_t tsc) = 0;
  // Adds a whole call whose end is at step.tsc, behind later calls that are in it.
  virtual Result<> timed_call(const Thread &thread, const Step &step);
  virtual Result<> instant(const Thread &thread, const Step &step, const Instant &instant) = 0;
  // Adds the time from step.from() to step.tsc, in which no call begins or ends. A format without
  // intervals shows its end.
  virtual Result<> interval(const Thread &thread, const Step &step, const Instant &what) {
    return instant(thread, step, what);
  }

  const std::string &name(const Thread &thread, const Step &step) const {
    return context_.functions.name(thread.process(), step.id);
  }
  // The process of a thread. If the recording does not describe it, the process has PID 0 and a
  // name that says so.
  const RecordedProcess &process_of(uint32_t number) const;
  // The arguments, each with a name: the prototype's, or `arg1`.
  std::vector<NamedValue> arguments(const Thread &thread, const Step &step) const;
  // The result, named `return`, and how the call ended if it did not return.
  std::vector<NamedValue> end_values(const Thread &thread, const Step &step) const;

  FormatContext context_;

private:
  Instant mark(const Thread &thread, const Step &step) const;
};

} // namespace nophook
