// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes the members of an event in a fixed order.

#include "show/print/events_json.h"

#include "foundation/json.h"
#include "foundation/overloaded.h"
#include "read/steps/call_values.h"
#include "read/steps/marks.h"

#include <algorithm>

namespace nophook {

namespace {

Json json(const NamedValue &value) {
  Json object = Json::object();
  if (!value.name.empty())
    object.add("name", value.name);
  if (!value.type.empty())
    object.add("type", value.type);
  object.add("value", value.text);
  return object;
}

// An object whose members go to the output as they come. A Json that is built first would take most
// of the time of an event, so one is built only for members that few events have.
class Line {
public:
  Line(Output &output, std::string_view kind) : output_(output) {
    output_.add("{\"kind\":\"");
    output_.add(kind);
    output_.add('"');
  }
  void add_text(std::string_view key, std::string_view text) { // `key` has its quotes and commas
    output_.add(key);
    if (std::ranges::all_of(text, Json::is_plain)) {
      output_.add('"');
      output_.add(text);
      output_.add('"');
    } else {
      output_.add(Json(text).text());
    }
  }
  void add_number(std::string_view key, uint64_t number) {
    output_.add(key);
    output_.number(number);
  }
  void add_signed(std::string_view key, int64_t number) {
    output_.add(key);
    if (number < 0)
      output_.add('-');
    output_.number(number < 0 ? -(uint64_t)number : (uint64_t)number);
  }
  void add_flag(std::string_view key, bool flag) {
    output_.add(key);
    output_.add(flag ? "true" : "false");
  }
  void add_value(std::string_view key, const Json &value) {
    output_.add(key);
    output_.add(value.text());
  }
  void end() {
    output_.add('}');
    output_.end_line();
  }

private:
  Output &output_;
};

void add_mark(Line &line, Functions &functions, const Thread &thread, const Mark &mark) {
  const uint32_t process = thread.process();
  std::visit(Overloaded{[&](const StackMark &mark) {
                          Json stack = Json::list();
                          for (uint64_t address : mark.addresses)
                            stack.push(functions.caller(process, address));
                          line.add_value(",\"stack\":", stack);
                        },
                        [&](const RepeatsMark &repeats) {
                          line.add_text(",\"function\":", functions.name(process, repeats.id));
                          line.add_text(",\"parent\":", functions.caller(process, repeats.parent));
                          line.add_number(",\"repeats\":", repeats.count);
                        },
                        [&](const ProbeEvent &event) {
                          line.add_text(",\"group\":", event.group);
                          line.add_text(",\"event\":", event.name);
                          line.add_text(",\"function\":", functions.caller(process, event.ip + 1));
                          Json arguments = Json::object();
                          for (const ProbeEvent::Argument &argument : event.arguments)
                            arguments.add(argument.name, argument.text);
                          line.add_value(",\"arguments\":", arguments);
                        },
                        [&](const TextMark &text) {
                          if (text.ip)
                            line.add_text(",\"function\":", functions.caller(process, text.ip));
                          line.add_text(",\"text\":", text.text);
                        },
                        [&](const RawMark &raw) {
                          line.add_signed(",\"number\":", raw.number);
                          line.add_text(",\"text\":", mark_text(raw));
                        },
                        [&](const OtherMark &other) {
                          line.add_text(",\"event\":", other.name);
                          Json fields = Json::object();
                          for (const NamedValue &field : other.fields)
                            fields.add(field.name, field.text);
                          line.add_value(",\"arguments\":", fields);
                        }},
             mark);
}

// As the key `kind` has it.
std::string_view kind_name(const Step &step) {
  switch (step.kind) {
  case Step::kCall:
  case Step::kOuterCall:
    return step.shape == Step::kBegin ? "entry" : step.is_leaf() ? "call" : "exit";
  case Step::kTimedCall:
  case Step::kExitOnly:
    return "exit";
  case Step::kEntryOnly:
    return "entry_only";
  case Step::kFunction:
    return "function";
  case Step::kLost:
    return "lost";
  case Step::kOff:
    return "off_cpu";
  case Step::kText:
  case Step::kRaw:
    return "mark";
  case Step::kStack:
    return "stack";
  case Step::kRepeats:
    return "repeats";
  case Step::kProbe:
  case Step::kOther:
    return "event";
  }
  return "";
}

void add_values(Line &line, Functions &functions, const Thread &thread, const Step &step) {
  const Prototype *prototype = functions.prototype(thread.process(), step.id);
  if (!step.arguments.empty()) {
    Json arguments = Json::list();
    for (const NamedValue &value : argument_values(prototype, step.arguments))
      arguments.push(json(value));
    line.add_value(",\"arguments\":", arguments);
  }
  if (auto growth = counter_growth(step.result); !growth.empty()) {
    Json counters = Json::object();
    for (const CounterGrowth &counter : growth)
      counters.add(counter.name, counter.growth);
    line.add_value(",\"counters\":", counters);
  }
  if (!step.result.empty())
    if (auto value = result_value(prototype, step.result))
      line.add_value(",\"result\":", json(*value));
}

} // namespace

void print_event_json(Output &output, Functions &functions, const Recording &recording,
                      const Thread &thread, const Step &step, bool srcline, bool wall) {
  Line line(output, kind_name(step));
  const TscClock &clock = recording.clock();
  line.add_number(",\"time_ns\":", clock.at(step.tsc));
  if (wall)
    line.add_number(",\"realtime_ns\":", recording.wall_time().at(clock.at(step.tsc)));
  if (step.cpu != NOPHOOK_CPU_UNKNOWN)
    line.add_number(",\"cpu\":", step.cpu);
  line.add_signed(",\"pid\":", thread.pid());
  line.add_signed(",\"tid\":", thread.tid());
  line.add_text(",\"comm\":", thread.comm());
  if (step.kind == Step::kLost) {
    line.add_number(",\"lost\":", step.lost);
    return line.end();
  }
  if (step.is_off()) {
    line.add_number(",\"depth\":", step.depth);
    line.add_number(",\"duration_ns\":", step.off_ns);
    return line.end();
  }
  if (step.is_mark()) {
    add_mark(line, functions, thread, read_mark(step));
    return line.end();
  }
  line.add_text(",\"function\":", functions.name(thread.process(), step.id));
  if (srcline)
    if (const SourceLine &source =
            functions.source_of_key(functions.key(thread.process(), step.id));
        !source.file.empty()) {
      line.add_text(",\"file\":", source.file);
      line.add_number(",\"line\":", source.line);
    }
  if (!step.arguments.empty() || !step.result.empty())
    add_values(line, functions, thread, step);
  if (step.kind == Step::kFunction) {
    line.add_text(",\"parent\":", functions.caller(thread.process(), step.parent));
    return line.end();
  }
  line.add_number(",\"depth\":", step.depth);
  if (step.kind == Step::kOuterCall)
    line.add_flag(",\"inherited\":", true);
  if (step.has_duration()) {
    line.add_number(",\"duration_ns\":", clock.duration(step.ticks));
    line.add_number(",\"self_ns\":", clock.duration(step.ticks - step.children_ticks));
    if (step.off_ticks)
      line.add_number(",\"off_cpu_ns\":", clock.duration(step.off_ticks));
    line.add_flag(",\"returned\":", step.end == Step::kReturned);
    if (step.end != Step::kReturned)
      line.add_text(",\"end\":", end_name(step.end));
  }
  line.end();
}

} // namespace nophook
