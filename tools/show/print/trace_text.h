// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernel's `trace` text, so that eyes and scripts that know it need to learn nothing.
//
// function:        TASK-TID [CPU] ..... SECONDS: func <-parent     (show/print/function_text.h)
// function_graph:   CPU) DURATION | calls                          (show/print/graph_text.h)
//
// Facts that only the kernel has (interrupts, preemption) keep their columns, as dots.
// docs/reference/trace-format.md has the rest.

#pragma once

#include "show/print/function_text.h"
#include "show/print/graph_text.h"

namespace nophook {

class TraceText {
public:
  TraceText(Output &output, Functions &functions, const Recording &recording,
            const TraceOptions &options = {});

  void header(); // prints the recording's header
  void header(const EntryCounts &entries);
  void step(const Thread &thread, const Step &step);
  void finish(); // prints lines that were held back until their continuation is known

private:
  TraceContext context_;
  bool graph_;
  FunctionText function_text_;
  GraphText graph_text_;
};

} // namespace nophook
