// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/trace_text.h"

namespace nophook {

bool is_graph_recording(const Recording &recording) {
  std::string tracer = json_text(recording.info(), "tracer");
  return tracer != "function" && tracer != "nop";
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
  const nlohmann::json &info = context_.recording.info();
  auto told = info.find("is_off"); // of a process that is there
  bool is_off = json_text(info, "tracer") == "nop" || (told != info.end() && *told == true);
  context_.output.line("# tracer: {}", is_off ? "nop" : graph_ ? "function_graph" : "function");
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
