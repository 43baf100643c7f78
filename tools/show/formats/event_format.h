// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The form in which the events of a recording are written: text, JSON, another tool's file.
//
// Each form could read the recording by itself, as trace.dat did: then each has its own loop, its
// own idea of which events are chosen, and its own errors. Here one loop
// (show/formats/write_events.h) reads, merges and chooses, and a format gets one step after the
// other, in the order of time. A format is one file of this folder and one row in
// show/formats/table.h.
//
// A format learns:
//
//   functions        functions.name(thread.process(), step.id), .caller() of an address, .locate(),
//                    .source_of_key(); functions.key() is the same in all processes
//   threads          thread.tid(), .pid(), .comm(); .stream() is unique in the recording
//   processes        recording.processes(), maybe without thread.process(): names, modules, `ppid`,
//                    which is the process that has forked it
//   calls            step.depth on step.stack; step.ticks of ends and intervals is the duration;
//                    recording.clock() turns ticks into nanoseconds
//   arguments        argument_values(functions.prototype(...), step.arguments), result_value()
//                    (read/steps/call_values.h)
//   counters         counter_growth(step.result)
//   marks            read_mark(step), if step.is_mark(): texts, stacks, events made by text
//                    (read/steps/marks.h)
//   losses           step.lost of kLost, at their place; recording.lost() and .overwritten() of all

#pragma once

#include "foundation/output.h"
#include "read/select/step_filter.h"
#include "read/symbols/functions.h"
#include "show/print/trace_options.h"

namespace nophook {

// The input of a format besides the steps, and its output. All of it lives as long as the format.
struct FormatContext {
  const Recording &recording;
  Functions &functions;
  const TraceOptions &options;
  Output *output;            // null: the format creates `path` itself
  std::string path = {};     // for FormatKind::kFile, which creates it
  bool uncompressed = false; // for a format that compresses: it shall not
};

// The functions are called in the order of their declaration. An error ends the export and says
// what could not be done with which file; an output that has been closed is no error.
class EventFormat {
public:
  virtual ~EventFormat() = default;

  // Whether the recording has what the format can show; asked before anything is created.
  virtual Result<> accepts() const { return {}; }

  // Writes the parts in front of all steps: heads, and files that are to be created.
  virtual Result<> begin() { return {}; }

  // Gets the next step of all threads, by time. `thread` lives as long as the format; the values in
  // `step` are gone when this returns.
  virtual Result<> step(const Thread &thread, const Step &step) = 0;

  // Gets a call that is still open behind the last step, as an end at the time of its thread's last
  // event: thread by thread, innermost calls first. A format that pairs begins and ends closes it.
  virtual Result<> still_open(const Thread &, const Step &) { return {}; }

  // Whether the format adds calls up, without a time axis. It gets sum() instead of the two above:
  // all steps of the selected calls, each with the parts of it that count.
  virtual bool is_sum() const { return false; }
  virtual Result<> sum(const Thread &, const Step &, const StepFilter::Verdict &) { return {}; }

  // Writes the parts behind the last step: tables, and data that was held back. Not called after an
  // error.
  virtual Result<> finish() { return {}; }
};

} // namespace nophook
