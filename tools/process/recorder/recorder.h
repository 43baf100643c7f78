// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loop of a recording: buffers are emptied in time, a status line shows the progress, clocks
// are read, the user's limits are kept, and a report stands at the end.
//
// The pace follows the program. As long as full sub-buffers come, a round begins every 200 us.
// After that the pause doubles up to 2 ms, and is 10 ms when nothing has come for a second. So a
// program that fills its buffers fast is served fast, and an idle one costs nothing. New processes,
// threads that have ended and the hooks' own matters are looked at 50 times a second.

#pragma once

#include "process/drain/drain.h"
#include "process/drain/record_names.h"
#include "process/recorder/hook.h"
#include "process/recorder/limits.h"
#include "process/recorder/live_line.h"

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace nophook {

class Recorder {
public:
  Recorder(BufferSource &source, RecordingWriter &writer, const Limits &limits);

  // Called before record(). The hook outlives the recorder.
  void add(RecorderHook &hook) { hooks_.push_back(&hook); }

  Drain &drain() { return drain_; }
  const DrainTotals &totals() const { return drain_.totals(); }

  // Records until end() is called, a limit is reached, or the recording cannot be written.
  void record();

  // Ends the recording. `why` stands in it and in the report ("on SIGINT"); empty: the program has
  // ended. The first reason counts.
  void end(const std::string &why = "");
  const std::string &why() const { return why_; }

  // Takes the remaining events, and writes the END chunk. Returns how many recorded processes live
  // on.
  uint32_t finish();

  // Prints the last lines, and adds the names of the functions (none: the recording gets no names).
  // `user` may want the end before the names are read; the recording is complete without them.
  void report(std::optional<KeepNames> names, RecorderHook &user);

  // Prints a line for the user in place of the status line.
  void say(const std::string &line);

private:
  using Clock = std::chrono::steady_clock;
  void wait(std::chrono::nanoseconds pause);
  void check_limits(Clock::time_point now);
  void end_if_full();

  BufferSource &source_;
  RecordingWriter &writer_;
  const Limits limits_;
  Drain drain_;
  std::vector<RecorderHook *> hooks_;
  LiveLine live_;
  Clock::time_point start_ = Clock::now();
  bool is_over_ = false;
  std::string why_;
};

// Prints a line on standard error, from any thread.
void say_line(const std::string &line);

} // namespace nophook
