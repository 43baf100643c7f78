// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chooses the lines of a recording's tracer.

#include "show/print/trace_text.h"

#include "foundation/tracer_rows.h"

namespace nophook {

// The tracer of a recording. Older recordings have only its name and, if it was unknown, not even
// that.
static std::string tracer_of(const Recording &recording) {
  std::string tracer = recording.info().text("tracer");
  return tracer.empty() ? "function_graph" : tracer;
}

uint32_t tracer_form(const Recording &recording) {
  const TracerRow *row = find_tracer(tracer_of(recording));
  int64_t form = recording.info().number("tracer_form");
  return form ? (uint32_t)form : row ? row->form : NOPHOOK_FORM_CALLS;
}

bool is_graph_recording(const Recording &recording) {
  uint32_t form = tracer_form(recording);
  return form == NOPHOOK_FORM_GRAPH || form == NOPHOOK_FORM_COUNTS;
}

bool has_counts_only(const Recording &recording) {
  return tracer_form(recording) == NOPHOOK_FORM_HITS;
}

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
