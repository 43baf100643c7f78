// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prints the columns and texts of the function tracer's lines.

#include "show/print/function_text.h"

#include "foundation/overloaded.h"
#include "read/steps/marks.h"

#include <algorithm>

namespace nophook {

void FunctionText::header(const EntryCounts &entries) {
  const Recording &recording = context_.recording;
  int64_t cpus = recording.info().number("online_cpus");
  Output &output = context_.output;
  output.line("# entries-in-buffer/entries-written: {}/{}   #P:{}", entries.held, entries.written,
              cpus > 0 ? (uint64_t)cpus : context_.cpus);
  output.line("#");
  bool tgid = context_.options.record_tgid, flags = context_.options.irq_info;
  const std::string wide(context_.wide_time(), ' ');
  output.line("#           TASK-TID    {} CPU#  {}TIMESTAMP{}  FUNCTION", tgid ? "   PID    " : "",
              flags ? "|||||  " : "   ", wide);
  output.line("#              | |      {}   |   {}   |   {}      |", tgid ? "     |    " : "",
              flags ? "|||||  " : "   ", wide);
}

const std::string &FunctionText::task_text(const Thread &thread) {
  if (last_stream_ != thread.stream()) {
    last_task_ = &tasks_[thread.stream()];
    last_stream_ = thread.stream();
  }
  Task &task = *last_task_;
  if (task.text.empty() || task.raw_comm != thread.raw_comm()) {
    task.raw_comm = thread.raw_comm();
    task.text = fmt::format("{:>16}-{:<7} ", thread.comm(), thread.tid());
    if (context_.options.record_tgid)
      task.text += fmt::format("({:>7}) ", thread.pid());
  }
  return task.text;
}

void FunctionText::begin_line(const Thread &thread, uint32_t cpu, uint64_t tsc) {
  Output &output = context_.output;
  output.add(task_text(thread));
  if (cpu == NOPHOOK_CPU_UNKNOWN) {
    output.add("[---] ");
  } else {
    output.add('[');
    output.number(cpu, 3, '0');
    output.add("] ");
  }
  output.add(context_.options.irq_info ? "..... " : " ");
  context_.add_time(tsc);
  output.add(": ");
}

// The kernel's text of an address: with `sym-offset` its distance from the function's start, with
// `sym-addr` the address itself.
std::string FunctionText::symbol(const Thread &thread, const std::string &name, uint64_t address,
                                 bool is_return_address) const {
  std::string text = name;
  if (context_.options.sym_offset)
    if (auto at = context_.functions.locate(thread.process(), address - is_return_address))
      text += fmt::format("+{:#x}/{:#x}", at->offset + is_return_address, at->bytes);
  if (context_.options.sym_addr)
    text += fmt::format(" <{:016x}>", address);
  return text;
}

void FunctionText::call_text(const Thread &thread, const Step &step) {
  Functions &functions = context_.functions;
  const std::string &name = functions.name(thread.process(), step.id);
  const TraceOptions &options = context_.options;
  if (options.sym_offset || options.sym_addr)
    context_.output.add(symbol(thread, name, functions.address(thread.process(), step.id), false));
  else
    context_.output.add(name);
  if (!step.arguments.empty() && options.func_args)
    context_.output.print("({})", context_.arguments(thread, step));
  if (step.kind != Step::kFunction || !options.print_parent)
    return;
  const std::string &caller = functions.caller(thread.process(), step.parent);
  context_.output.add(" <-");
  if (options.sym_offset || options.sym_addr)
    context_.output.add(symbol(thread, caller, step.parent, true));
  else
    context_.output.add(caller);
}

void FunctionText::step(const Thread &thread, const Step &step) {
  if (step.kind == Step::kLost)
    return context_.lost_line(step);
  if (step.ends() && !step.is_leaf())
    return;
  if (step.kind == Step::kFunction && context_.options.func_no_repeats && is_repeat(thread, step))
    return;
  begin_line(thread, step.cpu, step.tsc);
  if (step.is_mark())
    return mark(thread, step);
  call_text(thread, step);
  if (context_.options.srcline)
    if (std::string source = context_.source_line(thread, step); !source.empty())
      context_.output.print(" /* {} */", source);
  context_.output.end_line();
}

void FunctionText::mark(const Thread &thread, const Step &step) {
  const Mark mark = read_mark(step);
  Output &output = context_.output;
  std::visit(
      Overloaded{[&](const StackMark &) { output.add("<stack trace>"); },
                 [&](const RepeatsMark &repeats) {
                   Step call = step;
                   call.kind = Step::kFunction;
                   call.id = repeats.id;
                   call.parent = repeats.parent;
                   call.arguments = {};
                   call_text(thread, call);
                   repeats_text(repeats.count, step.tsc - std::min(step.tsc, repeats.ticks));
                 },
                 [&](const ProbeEvent &event) { output.add(context_.event_text(thread, event)); },
                 [&](const TextMark &text) { // behind the function that wrote it
                   output.add(text.ip ? context_.functions.caller(thread.process(), text.ip)
                                      : "tracing_mark_write");
                   output.add(": ");
                   output.add(text.text);
                 },
                 [&](const auto &) { output.add(mark_text(mark)); }},
      mark);
  output.end_line();
  if (const auto *stack = std::get_if<StackMark>(&mark))
    context_.stack_lines(thread, stack->addresses);
}

// Whether it is the thread's last call once more. If not, earlier repetitions are shown.
bool FunctionText::is_repeat(const Thread &thread, const Step &step) {
  auto [at, is_first] = repeats_.try_emplace(thread.stream(), Repeats{&thread, step});
  Repeats &repeats = at->second;
  if (is_first)
    return false;
  if (repeats.call.id == step.id && repeats.call.parent == step.parent &&
      std::ranges::equal(repeats.call.arguments, step.arguments)) {
    repeats.count++;
    repeats.last_tsc = step.tsc;
    return true;
  }
  repeats_line(&repeats, step.tsc);
  repeats = {&thread, step};
  return false;
}

// Prints one line for all repetitions, when no more can come.
void FunctionText::repeats_line(Repeats *repeats, uint64_t tsc) {
  if (!repeats->count)
    return;
  begin_line(*repeats->thread, repeats->call.cpu, tsc);
  call_text(*repeats->thread, repeats->call);
  repeats_text(repeats->count, repeats->last_tsc);
  context_.output.end_line();
}

void FunctionText::repeats_text(uint64_t count, uint64_t last_tsc) {
  context_.output.print(" (repeats: {}, last_ts: {})", count, context_.time_text(last_tsc));
}

void FunctionText::finish() {
  std::vector<Repeats *> rest;
  for (auto &[stream, repeats] : repeats_)
    rest.push_back(&repeats);
  std::ranges::sort(rest, {}, [](const Repeats *repeats) {
    return std::pair(repeats->last_tsc, repeats->thread->stream());
  });
  for (Repeats *repeats : rest)
    repeats_line(repeats, repeats->last_tsc);
}

} // namespace nophook
