// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/trace_text.h"

#include "print/call_values.h"
#include "print/duration.h"
#include "print/marks.h"

#include <algorithm>

namespace nophook {

namespace {

const std::string kBlankDuration(14, ' ');
constexpr const char *kRule = " ------------------------------------------";
constexpr size_t kTaskColumns = 14;

// "comm-tid", the name cut to seven characters, in the middle of 14 columns.
std::string task_label(const Thread &thread) {
  std::string label = fmt::format("{:.7}-{}", thread.comm(), thread.tid());
  size_t spaces = label.size() < kTaskColumns ? kTaskColumns - label.size() : 0;
  return std::string(spaces / 2, ' ') + label + std::string(spaces - spaces / 2, ' ');
}

// Of calls that did not return, and are over: ` tail` or ` left`. What it was if events were
// lost on the way, nobody knows.
const char *end_comment(const Step &step) {
  bool ends = step.kind == Step::kClose || step.kind == Step::kLeaf;
  return !ends ? "" : step.end == Step::kTail ? " tail" : step.end == Step::kLeft ? " left" : "";
}

} // namespace

bool is_graph_recording(const Recording &recording) {
  std::string tracer = json_text(recording.info(), "tracer");
  return tracer != "function" && tracer != "nop";
}

TraceText::TraceText(Output &output, Functions &functions, const Recording &recording)
    : output_(output), functions_(functions), recording_(recording),
      graph_(is_graph_recording(recording)) {
  cpus_ = (uint32_t)std::clamp<int64_t>(json_number(recording.info(), "cpus"), 1, 1 << 20);
  cpu_digits_ = fmt::formatted_size("{}", cpus_ - 1);
}

void TraceText::header() {
  uint64_t lost = recording_.lost();
  std::string tracer = json_text(recording_.info(), "tracer");
  output_.line("# tracer: {}", graph_ ? "function_graph" : tracer == "nop" ? "nop" : "function");
  output_.line("#");
  if (!graph_) {
    uint64_t events = recording_.events();
    output_.line("# entries-in-buffer/entries-written: {}/{}   #P:{}", events, events + lost,
                 cpus_);
    output_.line("#");
    output_.line("#           TASK-TID     CPU#  |||||  TIMESTAMP  FUNCTION");
    output_.line("#              | |         |   |||||     |         |");
    return;
  }
  if (lost)
    output_.line("# {} events lost", lost);
  if (int64_t n = json_number(recording_.end(), "entry_only_functions"); n > 0)
    output_.line("# {} functions with entry events only: no duration, see `nophook list`", n);
  if (lost || json_number(recording_.end(), "entry_only_functions") > 0)
    output_.line("#");
  output_.line("# CPU  DURATION                  FUNCTION CALLS");
  output_.line("# |     |   |                     |   |   |   |");
}

std::string TraceText::cpu_text(uint32_t cpu) const {
  return cpu == NOPHOOK_CPU_UNKNOWN ? "-" : fmt::format("{}", cpu);
}

void TraceText::step(const Thread &thread, const Step &step) {
  if (step.kind == Step::kLost)
    output_.line("CPU:{} [LOST {} EVENTS]", cpu_text(step.cpu), step.lost);
  else if (graph_)
    graph_line(thread, step);
  else
    function_line(thread, step);
}

void TraceText::function_line(const Thread &thread, const Step &step) {
  if (step.kind == Step::kClose)
    return;
  uint64_t us = recording_.clock().at(step.tsc) / 1000;
  auto out = std::back_inserter(output_.buffer());
  fmt::format_to(out, "{:>16}-{:<7} ", thread.comm(), thread.tid());
  if (step.cpu == NOPHOOK_CPU_UNKNOWN)
    fmt::format_to(out, "[---]");
  else
    fmt::format_to(out, "[{:03}]", step.cpu);
  fmt::format_to(out, " ..... {:>5}.{:06}: {}", us / 1000000, us % 1000000,
                 step.kind == Step::kMark ? mark(thread, step)
                                          : functions_.name(thread.process(), step.id));
  if (step.kind == Step::kMark)
    return output_.end_line();
  if (!step.arguments.empty())
    fmt::format_to(out, "({})", arguments(thread, step));
  if (step.kind == Step::kFunction)
    fmt::format_to(out, " <-{}", functions_.caller(thread.process(), step.parent));
  output_.end_line();
}

std::string TraceText::arguments(const Thread &thread, const Step &step) {
  if (step.arguments.empty())
    return "";
  return argument_list(
      argument_values(functions_.prototype(thread.process(), step.id), step.arguments));
}

// ` ret=5`, or nothing.
std::string TraceText::result(const Thread &thread, const Step &step) {
  if (step.result.empty())
    return "";
  auto value = result_value(functions_.prototype(thread.process(), step.id), step.result);
  return value ? " ret=" + value->text : "";
}

// Who speaks, and what.
std::string TraceText::mark(const Thread &thread, const Step &step) {
  Mark mark = read_mark(step.arguments);
  if (mark.number)
    return mark_text(mark);
  return (mark.ip ? functions_.caller(thread.process(), mark.ip) : "tracing_mark_write") + ": " +
         mark_text(mark);
}

void TraceText::task_switch(const Thread &thread, const Step &step) {
  auto [last, is_first] = last_.try_emplace(step.cpu, Last{thread.stream(), ""});
  if (!is_first && last->second.stream == thread.stream())
    return;
  std::string label = task_label(thread);
  if (!is_first) {
    output_.line("{}", kRule);
    output_.line(" {:>{}}) {} => {}", cpu_text(step.cpu), cpu_digits_, last->second.label, label);
    output_.line("{}", kRule);
    output_.line("");
  }
  last->second = {thread.stream(), std::move(label)};
}

void TraceText::graph_line(const Thread &thread, const Step &step) {
  task_switch(thread, step);
  std::string cpu = cpu_text(step.cpu);
  output_.add(1 + cpu_digits_ - std::min(cpu.size(), cpu_digits_), ' ');
  output_.add(cpu);
  output_.add(") ");
  bool timed = (step.kind == Step::kClose && step.has_start) || step.kind == Step::kLeaf;
  output_.add(timed ? graph_duration(recording_.clock().duration(step.ticks)) : kBlankDuration);
  output_.add("|  ");
  output_.add(2 * std::min<uint32_t>(step.depth, 1000), ' ');
  if (step.kind == Step::kMark) {
    output_.add("/* ");
    output_.add(mark_text(read_mark(step.arguments)));
    output_.add(" */");
    return output_.end_line();
  }
  const std::string &name = functions_.name(thread.process(), step.id);
  std::string comment = result(thread, step) + end_comment(step);
  if (step.kind == Step::kClose) {
    output_.add("}");
    // The name where the eye cannot find the line it belongs to, or might not trust it.
    if (step.end != Step::kReturned || !step.has_start || !comment.empty())
      comment = " " + name + comment;
  } else {
    output_.add(name);
    output_.add("(");
    output_.add(arguments(thread, step));
    output_.add(step.kind == Step::kOpen ? ") {" : ");");
  }
  if (!comment.empty()) {
    output_.add(" /*");
    output_.add(comment);
    output_.add(" */");
  }
  output_.end_line();
}

} // namespace nophook
