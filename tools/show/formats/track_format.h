// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the formats with a time axis have in common. Each of them has its own idea of a step if it
// reads the kinds of steps itself, and leaves out what it has not thought of. Here every step
// becomes a call that begins, a call that ends, or an instant, on the track of its thread's stack:
//
//   kOpen, kLeaf       begin_call()
//   kClose, kLeaf      end_call()
//   timed              both: a call that tracing_thresh has timed has one event, at its end
//   kClose, no start   an instant: the call began before the recording, or its start was lost
//   all others         instants

#pragma once

#include "show/formats/event_format.h"
#include "show/print/call_values.h"

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

  // At step.tsc.
  virtual Result<> begin_call(const Thread &thread, const Step &step) = 0;
  // The end of the innermost call that has begun on this stack; `step` has its duration and result.
  virtual Result<> end_call(const Thread &thread, const Step &step, uint64_t tsc) = 0;
  // At step.tsc, behind later calls that are in it.
  virtual Result<> timed_call(const Thread &thread, const Step &step);
  virtual Result<> instant(const Thread &thread, const Step &step, const Instant &instant) = 0;

  const std::string &name(const Thread &thread, const Step &step) const {
    return context_.functions.name(thread.process(), step.id);
  }
  // A stream may be of a process of which the file says nothing: PID 0, with a name that says so.
  const RecordedProcess &process_of(uint32_t number) const;
  // Each with a name: of the prototype, or `arg1`.
  std::vector<NamedValue> arguments(const Thread &thread, const Step &step) const;
  // The result, as `return`, and how the call ended if it did not return.
  std::vector<NamedValue> end_values(const Thread &thread, const Step &step) const;

  FormatContext context_;

private:
  Instant mark(const Thread &thread, const Step &step) const;
};

} // namespace nophook
