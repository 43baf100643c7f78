// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prints the columns and braces of function_graph's lines.

#include "show/print/graph_text.h"

#include "foundation/counted.h"
#include "read/steps/call_values.h"
#include "read/steps/marks.h"
#include "show/print/duration.h"

#include <algorithm>

namespace nophook {

namespace {

constexpr std::string_view kBlankDuration = "              ";
constexpr const char *kRule = " ------------------------------------------";
constexpr size_t kTaskColumns = 14;

// The most indented levels: the lines of a recursion of 100,000 levels were 394 MB, nearly all of
// it spaces.
constexpr uint32_t kMostIndentedLevels = 100;

// The text "comm-tid", with the name cut to seven characters, in the middle of 14 columns.
std::string task_label(const Thread &thread) {
  std::string label = fmt::format("{:.7}-{}", thread.comm(), thread.tid());
  size_t spaces = label.size() < kTaskColumns ? kTaskColumns - label.size() : 0;
  return std::string(spaces / 2, ' ') + label + std::string(spaces - spaces / 2, ' ');
}

// The end of a call that did not return, in words. If events were lost on the way, it is unknown.
const char *end_text(const Step &step) {
  bool is_known =
      step.end != Step::kReturned && step.end != Step::kUnknown && step.end != Step::kStillOpen;
  return is_known ? end_name(step.end) : "";
}

std::string counters_of(const Step &step) {
  return step.result.empty() ? "" : counter_list(counter_growth(step.result));
}

} // namespace

void GraphText::header() {
  Output &output = context_.output;
  const TraceOptions &options = context_.options;
  if (uint64_t overwritten = context_.recording.overwritten())
    context_.output.line("# {} older events were overwritten", overwritten);
  uint64_t lost = context_.recording.lost();
  int64_t entry_only = context_.recording.end().number("entry_only_functions");
  if (lost)
    output.line("# {} lost", counted(lost, "event"));
  if (entry_only > 0)
    output.line("# {} with entry events only: no duration, see `nophook list`",
                counted((uint64_t)entry_only, "function"));
  if (lost || entry_only > 0)
    output.line("#");
  const std::string wide(context_.wide_time(), ' ');
  output.line("#{}{}{}{}{}               FUNCTION CALLS", wide,
              options.abstime ? "     TIME       " : "", options.cpu ? " CPU" : "",
              options.proc ? "  TASK/TID       " : "", options.duration ? "  DURATION   " : "");
  output.line("#{}{}{}{}{}               |   |   |   |", wide,
              options.abstime ? "      |         " : "", options.cpu ? " |  " : "",
              options.proc ? "   |    |        " : "", options.duration ? "   |   |      " : "");
}

void GraphText::task_switch(const Thread &thread, const Step &step) {
  if (last_stream_ == thread.stream() && last_cpu_ == step.cpu)
    return;
  last_stream_ = thread.stream();
  last_cpu_ = step.cpu;
  auto [last, is_first] = last_.try_emplace(step.cpu, Last{thread.stream(), ""});
  if (!is_first && last->second.stream == thread.stream())
    return;
  Output &output = context_.output;
  std::string label = task_label(thread);
  if (!is_first) {
    output.line("{}", kRule);
    output.line(" {:>{}}) {} => {}", context_.cpu_text(step.cpu), context_.cpu_digits,
                last->second.label, label);
    output.line("{}", kRule);
    output.line("");
  }
  last->second = {thread.stream(), std::move(label)};
}

// Prints all columns in front of the call.
void GraphText::columns(const Thread &thread, const Step &step) {
  Output &output = context_.output;
  const TraceOptions &options = context_.options;
  if (options.abstime) {
    context_.add_time(step.tsc);
    output.add(" |  ");
  }
  if (options.cpu) {
    if (cpu_column_.empty() || column_cpu_ != step.cpu) {
      cpu_column_ = fmt::format(" {:>{}}) ", context_.cpu_text(step.cpu), context_.cpu_digits);
      column_cpu_ = step.cpu;
    }
    output.add(cpu_column_);
  }
  if (options.proc)
    output.print("{} | ", task_label(thread));
  if (options.duration) {
    char duration[kGraphDurationBytes];
    std::string_view text = kBlankDuration;
    if (step.has_duration()) {
      text = {duration, graph_duration(context_.recording.clock().duration(step.ticks), duration)};
      if (!options.overhead)
        duration[0] = ' ';
    }
    output.add(text);
    output.add("|  ");
  }
  output.add(2 * std::min(step.depth, kMostIndentedLevels), ' ');
}

void GraphText::step(const Thread &thread, const Step &step) {
  if (step.kind == Step::kLost) {
    lost_[thread.stream()] += step.lost;
    return context_.lost_line(step);
  }
  task_switch(thread, step);
  columns(thread, step);
  if (step.is_mark())
    return mark_text_of(thread, step);
  const bool is_close = step.ends() && !step.is_leaf();
  if (is_close)
    close_text(thread, step);
  else
    begin_text(thread, step);
  context_.output.end_line();
  if (is_close && context_.options.overrun)
    context_.output.line(" (Overruns: {})", lost_[thread.stream()]);
}

void GraphText::mark_text_of(const Thread &thread, const Step &step) {
  const Mark mark = read_mark(step);
  const auto *stack = std::get_if<StackMark>(&mark);
  const auto *event = std::get_if<ProbeEvent>(&mark);
  context_.output.print("/* {} */", event   ? context_.event_text(thread, *event)
                                    : stack ? "<stack trace>"
                                            : mark_text(mark));
  context_.output.end_line();
  if (stack)
    context_.stack_lines(thread, stack->addresses);
}

void GraphText::begin_text(const Thread &thread, const Step &step) {
  Output &output = context_.output;
  output.add(context_.functions.name(thread.process(), step.id));
  output.add("(");
  if (context_.options.args && !step.arguments.empty())
    output.add(context_.arguments(thread, step));
  output.add(step.shape == Step::kBegin ? ") {" : ");");
  if (!context_.options.srcline && step.result.empty() && step.kind != Step::kOuterCall &&
      (!step.is_leaf() || step.end == Step::kReturned))
    return; // nothing to say behind it
  std::string source = context_.source_line(thread, step);
  if (step.is_leaf())
    comment({context_.result(thread, step), counters_of(step), end_text(step), source});
  else
    comment({step.kind == Step::kOuterCall ? "was open" : "", source});
}

void GraphText::close_text(const Thread &thread, const Step &step) {
  context_.output.add('}');
  const bool has_line = step.shape == Step::kEnd; // the start's
  if (step.end == Step::kReturned && has_line && step.result.empty() && !context_.options.tail)
    return;
  std::string result = context_.result(thread, step), counters = counters_of(step);
  // The name where the eye cannot find the line it belongs to, or might not trust it.
  if (step.end != Step::kReturned || !has_line || !result.empty() || !counters.empty() ||
      context_.options.tail)
    comment({context_.functions.name(thread.process(), step.id), result, counters, end_text(step)});
}

// Prints the parts that are not empty as a comment, if there are any.
void GraphText::comment(std::initializer_list<std::string_view> words) {
  bool any = false;
  for (std::string_view word : words) {
    if (word.empty())
      continue;
    context_.output.add(any ? " " : " /* ");
    context_.output.add(word);
    any = true;
  }
  if (any)
    context_.output.add(" */");
}

} // namespace nophook
