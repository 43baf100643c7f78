// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chooses the lines of a recording's tracer.

#include "show/print/trace_text.h"

#include "read/recording/tracer_form.h"

namespace nophook {

TraceText::TraceText(Output &output, Functions &functions, const Recording &recording,
                     const TraceOptions &options)
    : context_(output, functions, recording, options), graph_(is_graph_recording(recording)),
      function_text_(context_), graph_text_(context_) {}

void TraceText::header() {
  const Recording &recording = context_.recording;
  uint64_t held = recording.events();
  header({held, held + recording.lost() + recording.overwritten()});
}

void TraceText::header(const EntryCounts &entries) {
  const Output::Header uncounted(context_.output);
  const JsonFields &info = context_.recording.info();
  bool is_off =
      info.text("tracer") == "nop" || info.flag("is_off"); // `is_off`: the name is still there
  context_.output.line("# tracer: {}", is_off ? "nop" : tracer_of(context_.recording));
  context_.output.line("#");
  if (graph_ && !(is_off && entries.held == 0))
    graph_text_.header();
  else
    function_text_.header(entries);
}

void TraceText::step(const Thread &thread, const Step &step) {
  if (graph_)
    graph_text_.step(thread, step);
  else
    function_text_.step(thread, step);
}

void TraceText::finish() {
  if (!graph_)
    function_text_.finish();
}

} // namespace nophook
