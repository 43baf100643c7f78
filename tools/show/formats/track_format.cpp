// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Turns steps into calls that begin and end, and into instants with a name and values.

#include "show/formats/track_format.h"

#include "foundation/overloaded.h"
#include "read/steps/marks.h"
#include "show/print/trace_context.h"

namespace nophook {

Result<> TrackFormat::timed_call(const Thread &thread, const Step &step) {
  Step begun = step;
  begun.tsc = step.from();
  begun.result = {};
  NOPHOOK_TRY(begin_call(thread, begun));
  return end_call(thread, step, step.tsc);
}

Result<> TrackFormat::step(const Thread &thread, const Step &step) {
  if (step.is_off())
    return interval(thread, step, mark(thread, step));
  switch (step.shape) {
  case Step::kBegin:
    return begin_call(thread, step);
  case Step::kEnd:
    return end_call(thread, step, step.tsc);
  case Step::kInterval:
    if (!step.is_leaf())
      return timed_call(thread, step);
    NOPHOOK_TRY(begin_call(thread, step));
    return end_call(thread, step, step.to());
  case Step::kInstant:
    break;
  }
  if (step.is_mark())
    return instant(thread, step, mark(thread, step));
  if (step.kind == Step::kLost)
    return instant(thread, step, {fmt::format("{} events lost", step.lost), "lost", {}});
  if (step.kind == Step::kExitOnly)
    return instant(thread, step, {"end of " + name(thread, step), "end", end_values(thread, step)});
  Instant call = {name(thread, step), "call", arguments(thread, step)};
  if (step.kind == Step::kFunction)
    call.values.push_back({"caller", "", context_.functions.caller(thread.process(), step.parent)});
  return instant(thread, step, call);
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
  const uint32_t process = thread.process();
  const Mark mark = read_mark(step);
  return std::visit(
      Overloaded{
          [&](const StackMark &stack) -> Instant {
            return {"stack trace",
                    "stack",
                    {{"stack", "", stack_text(functions, process, stack.addresses)}}};
          },
          [&](const RepeatsMark &repeats) -> Instant {
            return {functions.name(process, repeats.id),
                    "repeats",
                    {{"repeats", "", fmt::format("{}", repeats.count)},
                     {"caller", "", functions.caller(process, repeats.parent)}}};
          },
          [&](const ProbeEvent &event) {
            Instant instant = {event.name, "mark", {}};
            for (const ProbeEvent::Argument &argument : event.arguments)
              instant.values.push_back({argument.name, "", argument.text});
            return instant;
          },
          [&](const OtherMark &other) -> Instant { return {other.name, "mark", other.fields}; },
          [&](const auto &) -> Instant { return {mark_text(mark), "mark", {}}; }},
      mark);
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
