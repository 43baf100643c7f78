// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernel's `trace` text, so that eyes and scripts that know it need to learn nothing.
//
// function:        TASK-TID [CPU] ..... SECONDS: func <-parent
// function_graph:   CPU) DURATION | calls, with a rule where another thread takes over a CPU
//
// What the kernel has and we have not (interrupts, preemption) keeps its column, as dots.

#pragma once

#include "base/output.h"
#include "decode/merge.h"
#include "symbols/functions.h"

#include <unordered_map>

namespace nophook {

class TraceText {
public:
  TraceText(Output &output, Functions &functions, const Recording &recording);

  void header();
  void step(const Thread &thread, const Step &step);

private:
  void function_line(const Thread &thread, const Step &step);
  void graph_line(const Thread &thread, const Step &step);
  std::string arguments(const Thread &thread, const Step &step);
  std::string result(const Thread &thread, const Step &step);
  std::string mark(const Thread &thread, const Step &step);
  void task_switch(const Thread &thread, const Step &step);
  std::string cpu_text(uint32_t cpu) const;

  Output &output_;
  Functions &functions_;
  const Recording &recording_;
  bool graph_;
  uint32_t cpus_;
  size_t cpu_digits_;
  struct Last {
    uint32_t stream;
    std::string label;
  };
  std::unordered_map<uint32_t, Last> last_; // by CPU
};

// Which tracer the recording was made with: what it says, else what its events say.
bool is_graph_recording(const Recording &recording);

} // namespace nophook
