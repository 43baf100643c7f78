// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "show/formats/track_format.h"

#include "show/print/marks.h"

namespace nophook {

Result<> TrackFormat::timed_call(const Thread &thread, const Step &step) {
  Step begun = step;
  begun.tsc -= std::min(step.tsc, step.ticks);
  begun.result = {};
  NOPHOOK_TRY(begin_call(thread, begun));
  return end_call(thread, step, step.tsc);
}

Result<> TrackFormat::step(const Thread &thread, const Step &step) {
  switch (step.kind) {
  case Step::kOpen:
    return begin_call(thread, step);
  case Step::kLeaf:
    NOPHOOK_TRY(begin_call(thread, step));
    return end_call(thread, step, step.tsc + step.ticks);
  case Step::kClose:
    if (step.timed)
      return timed_call(thread, step);
    if (step.has_start)
      return end_call(thread, step, step.tsc);
    return instant(thread, step, {"end of " + name(thread, step), "end", end_values(thread, step)});
  case Step::kEntryOnly:
    return instant(thread, step, {name(thread, step), "call", arguments(thread, step)});
  case Step::kFunction: {
    Instant call = {name(thread, step), "call", arguments(thread, step)};
    call.values.push_back({"caller", "", context_.functions.caller(thread.process(), step.parent)});
    return instant(thread, step, call);
  }
  case Step::kLost:
    return instant(thread, step, {fmt::format("{} events lost", step.lost), "lost", {}});
  case Step::kMark:
    return instant(thread, step, mark(thread, step));
  }
  return {};
}

const RecordedProcess &TrackFormat::process_of(uint32_t number) const {
  static const RecordedProcess unknown = [] {
    RecordedProcess process;
    process.comm = "unknown process";
    return process;
  }();
  const auto &processes = context_.recording.processes();
  auto at = processes.find(number);
  return at == processes.end() ? unknown : at->second;
}

TrackFormat::Instant TrackFormat::mark(const Thread &thread, const Step &step) const {
  Functions &functions = context_.functions;
  Mark mark = read_mark(step.arguments);
  if (!mark.stack.empty()) {
    std::string stack;
    for (uint64_t address : mark.stack)
      stack += (stack.empty() ? "" : " <- ") + functions.caller(thread.process(), address);
    return {"stack trace", "stack", {{"stack", "", stack}}};
  }
  if (mark.repeats.count)
    return {functions.name(thread.process(), mark.repeats.id),
            "repeats",
            {{"repeats", "", fmt::format("{}", mark.repeats.count)},
             {"caller", "", functions.caller(thread.process(), mark.repeats.parent)}}};
  if (!mark.event)
    return {mark_text(mark), "mark", {}};
  Instant event = {mark.event->name, "mark", {}};
  for (const ProbeEvent::Argument &argument : mark.event->arguments)
    event.values.push_back({argument.name, "", argument.text});
  return event;
}

std::vector<NamedValue> TrackFormat::arguments(const Thread &thread, const Step &step) const {
  if (step.arguments.empty())
    return {};
  std::vector<NamedValue> values =
      argument_values(context_.functions.prototype(thread.process(), step.id), step.arguments);
  for (size_t i = 0; i < values.size(); i++)
    if (values[i].name.empty())
      values[i].name = fmt::format("arg{}", i + 1);
  return values;
}

std::vector<NamedValue> TrackFormat::end_values(const Thread &thread, const Step &step) const {
  std::vector<NamedValue> values;
  if (!step.result.empty())
    if (auto result =
            result_value(context_.functions.prototype(thread.process(), step.id), step.result))
      values.push_back({"return", "", result->text});
  if (step.end != Step::kReturned)
    values.push_back({"end", "", end_name(step.end)});
  return values;
}

} // namespace nophook
