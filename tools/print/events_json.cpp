// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/events_json.h"

#include "print/call_values.h"
#include "print/marks.h"

#include <nlohmann/json.hpp>

namespace nophook {

static nlohmann::ordered_json json(const NamedValue &value) {
  nlohmann::ordered_json object;
  if (!value.name.empty())
    object["name"] = value.name;
  if (!value.type.empty())
    object["type"] = value.type;
  object["value"] = value.text;
  return object;
}

void print_event_json(Output &output, Functions &functions, const Recording &recording,
                      const Thread &thread, const Step &step, bool srcline) {
  static constexpr const char *kKinds[] = {"entry",    "exit", "call", "entry_only",
                                           "function", "lost", "mark"};
  nlohmann::ordered_json line;
  line["kind"] = kKinds[step.kind];
  line["time_ns"] = recording.clock().at(step.tsc);
  if (step.cpu != NOPHOOK_CPU_UNKNOWN)
    line["cpu"] = step.cpu;
  line["pid"] = thread.pid();
  line["tid"] = thread.tid();
  line["comm"] = thread.comm();
  if (step.kind == Step::kLost) {
    line["lost"] = step.lost;
    return output.line(line.dump());
  }
  if (step.kind == Step::kMark) {
    Mark mark = read_mark(step.arguments);
    if (!mark.stack.empty()) {
      line["kind"] = "stack";
      line["stack"] = nlohmann::ordered_json::array();
      for (uint64_t address : mark.stack)
        line["stack"].push_back(functions.caller(thread.process(), address));
      return output.line(line.dump());
    }
    if (mark.repeats.count) {
      line["kind"] = "repeats";
      line["function"] = functions.name(thread.process(), mark.repeats.id);
      line["parent"] = functions.caller(thread.process(), mark.repeats.parent);
      line["repeats"] = mark.repeats.count;
      return output.line(line.dump());
    }
    if (mark.event) {
      line["kind"] = "event";
      line["group"] = mark.event->group;
      line["event"] = mark.event->name;
      line["function"] = functions.caller(thread.process(), mark.event->ip + 1);
      line["arguments"] = nlohmann::ordered_json::object();
      for (const ProbeEvent::Argument &argument : mark.event->arguments)
        line["arguments"][argument.name] = argument.text;
      return output.line(line.dump());
    }
    if (mark.ip)
      line["function"] = functions.caller(thread.process(), mark.ip);
    if (mark.number)
      line["number"] = *mark.number;
    line["text"] = mark_text(mark);
    return output.line(line.dump());
  }
  line["function"] = functions.name(thread.process(), step.id);
  if (srcline)
    if (const SourceLine &source =
            functions.source_of_key(functions.key(thread.process(), step.id));
        !source.file.empty()) {
      line["file"] = source.file;
      line["line"] = source.line;
    }
  const Prototype *prototype = nullptr;
  if (!step.arguments.empty() || !step.result.empty())
    prototype = functions.prototype(thread.process(), step.id);
  if (!step.arguments.empty()) {
    line["arguments"] = nlohmann::ordered_json::array();
    for (const NamedValue &value : argument_values(prototype, step.arguments))
      line["arguments"].push_back(json(value));
  }
  for (const CounterGrowth &counter : counter_growth(step.result))
    line["counters"][counter.name] = counter.growth;
  if (!step.result.empty())
    if (auto value = result_value(prototype, step.result))
      line["result"] = json(*value);
  if (step.kind == Step::kFunction) {
    line["parent"] = functions.caller(thread.process(), step.parent);
    return output.line(line.dump());
  }
  line["depth"] = step.depth;
  if (step.kind == Step::kLeaf || (step.kind == Step::kClose && step.has_start)) {
    line["duration_ns"] = recording.clock().duration(step.ticks);
    line["self_ns"] = recording.clock().duration(step.ticks - step.children_ticks);
    line["returned"] = step.end == Step::kReturned;
    if (step.end != Step::kReturned)
      line["end"] = end_name(step.end);
  }
  output.line(line.dump());
}

} // namespace nophook
