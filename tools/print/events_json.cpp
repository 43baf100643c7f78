// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/events_json.h"

#include "base/json.h"
#include "print/call_values.h"
#include "print/marks.h"

namespace nophook {

static Json json(const NamedValue &value) {
  Json object = Json::object();
  if (!value.name.empty())
    object.add("name", value.name);
  if (!value.type.empty())
    object.add("type", value.type);
  object.add("value", value.text);
  return object;
}

void print_event_json(Output &output, Functions &functions, const Recording &recording,
                      const Thread &thread, const Step &step, bool srcline) {
  static constexpr const char *kKinds[] = {"entry",    "exit", "call", "entry_only",
                                           "function", "lost", "mark"};
  Mark mark = step.kind == Step::kMark ? read_mark(step.arguments) : Mark();
  Json line = {{"kind", !mark.stack.empty()  ? "stack"
                        : mark.repeats.count ? "repeats"
                        : mark.event         ? "event"
                                             : kKinds[step.kind]}};
  line.add("time_ns", recording.clock().at(step.tsc));
  if (step.cpu != NOPHOOK_CPU_UNKNOWN)
    line.add("cpu", step.cpu);
  line.add("pid", thread.pid());
  line.add("tid", thread.tid());
  line.add("comm", thread.comm());
  if (step.kind == Step::kLost) {
    line.add("lost", step.lost);
    return output.line(line.text());
  }
  if (step.kind == Step::kMark) {
    if (!mark.stack.empty()) {
      Json stack = Json::list();
      for (uint64_t address : mark.stack)
        stack.push(functions.caller(thread.process(), address));
      line.add("stack", stack);
      return output.line(line.text());
    }
    if (mark.repeats.count) {
      line.add("function", functions.name(thread.process(), mark.repeats.id));
      line.add("parent", functions.caller(thread.process(), mark.repeats.parent));
      line.add("repeats", mark.repeats.count);
      return output.line(line.text());
    }
    if (mark.event) {
      line.add("group", mark.event->group);
      line.add("event", mark.event->name);
      line.add("function", functions.caller(thread.process(), mark.event->ip + 1));
      Json arguments = Json::object();
      for (const ProbeEvent::Argument &argument : mark.event->arguments)
        arguments.add(argument.name, argument.text);
      line.add("arguments", arguments);
      return output.line(line.text());
    }
    if (mark.ip)
      line.add("function", functions.caller(thread.process(), mark.ip));
    if (mark.number)
      line.add("number", *mark.number);
    line.add("text", mark_text(mark));
    return output.line(line.text());
  }
  line.add("function", functions.name(thread.process(), step.id));
  if (srcline)
    if (const SourceLine &source =
            functions.source_of_key(functions.key(thread.process(), step.id));
        !source.file.empty()) {
      line.add("file", source.file);
      line.add("line", source.line);
    }
  const Prototype *prototype = nullptr;
  if (!step.arguments.empty() || !step.result.empty())
    prototype = functions.prototype(thread.process(), step.id);
  if (!step.arguments.empty()) {
    Json arguments = Json::list();
    for (const NamedValue &value : argument_values(prototype, step.arguments))
      arguments.push(json(value));
    line.add("arguments", arguments);
  }
  if (auto growth = counter_growth(step.result); !growth.empty()) {
    Json counters = Json::object();
    for (const CounterGrowth &counter : growth)
      counters.add(counter.name, counter.growth);
    line.add("counters", counters);
  }
  if (!step.result.empty())
    if (auto value = result_value(prototype, step.result))
      line.add("result", json(*value));
  if (step.kind == Step::kFunction) {
    line.add("parent", functions.caller(thread.process(), step.parent));
    return output.line(line.text());
  }
  line.add("depth", step.depth);
  if (step.kind == Step::kLeaf || (step.kind == Step::kClose && step.has_start)) {
    line.add("duration_ns", recording.clock().duration(step.ticks));
    line.add("self_ns", recording.clock().duration(step.ticks - step.children_ticks));
    line.add("returned", step.end == Step::kReturned);
    if (step.end != Step::kReturned)
      line.add("end", end_name(step.end));
  }
  output.line(line.text());
}

} // namespace nophook
