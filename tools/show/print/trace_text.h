// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernel's `trace` text, so that eyes and scripts that know it need to learn nothing.
//
// function:        TASK-TID [CPU] ..... SECONDS: func <-parent     (show/print/function_text.h)
// function_graph:   CPU) DURATION | calls                          (show/print/graph_text.h)
//
// What the kernel has and we have not (interrupts, preemption) keeps its column, as dots.
// docs/reference/trace-format.md has the rest.

#pragma once

#include "show/print/function_text.h"
#include "show/print/graph_text.h"

namespace nophook {

class TraceText {
public:
  TraceText(Output &output, Functions &functions, const Recording &recording,
            const TraceOptions &options = {});

  void header(); // of the recording
  void header(const EntryCounts &entries);
  void step(const Thread &thread, const Step &step);
  void finish(); // what may be held back until it is known how it goes on

private:
  TraceContext context_;
  bool graph_;
  FunctionText function_text_;
  GraphText graph_text_;
};

// How the events of the recording's tracer are shown: NOPHOOK_FORM_. And whether as calls with
// their times, which counts have, too.
uint32_t tracer_form(const Recording &recording);
// It is of the tracer hits: no function has times.
bool has_counts_only(const Recording &recording);
bool is_graph_recording(const Recording &recording);

} // namespace nophook
