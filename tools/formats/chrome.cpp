// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The trace event format of Chrome (chrome://tracing, ui.perfetto.dev, speedscope): JSON with one
// complete event for each call. A call is written when it ends, so nothing is kept but names.
//
// Calls of one thread must nest, which those of fibers and alternate stacks do not: each stack but
// the first is a thread of its own there, with a number that no thread has.

#include "base/json.h"
#include "formats/event_format.h"
#include "print/call_values.h"
#include "print/marks.h"

#include <set>

namespace nophook {

namespace {

// Above every thread id: the kernel has at most 2^22.
constexpr uint64_t kFirstOtherStack = uint64_t{1} << 32;

class ChromeFormat : public EventFormat {
public:
  explicit ChromeFormat(const FormatContext &context) : context_(context) {}

  Result<> begin() override {
    context_.output->line("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[");
    return {};
  }

  Result<> step(const Thread &thread, const Step &step) override {
    switch (step.kind) {
    case Step::kOpen:
      keep_arguments(thread, step);
      break;
    case Step::kLeaf:
      keep_arguments(thread, step);
      call(thread, step, step.tsc);
      break;
    case Step::kClose:
      if (step.has_start)
        call(thread, step, step.tsc - step.ticks);
      break;
    case Step::kEntryOnly:
    case Step::kFunction:
      keep_arguments(thread, step);
      instant(thread, step, context_.functions.name(thread.process(), step.id), "call");
      break;
    case Step::kLost:
      instant(thread, step, fmt::format("{} events lost", step.lost), "lost");
      break;
    case Step::kMark:
      mark(thread, step);
      break;
    }
    return {};
  }

  Result<> still_open(const Thread &thread, const Step &step) override {
    call(thread, step, step.tsc - step.ticks);
    return {};
  }

  Result<> finish() override {
    context_.output->line("{}]}}", is_first_ ? "" : "\n");
    return {};
  }

private:
  using Arguments = std::vector<NamedValue>;
  using Place = std::tuple<uint32_t, uint32_t, uint32_t>; // stream, stack, depth

  static uint64_t number_of(const Thread &thread, uint32_t stack) {
    return stack ? kFirstOtherStack + ((uint64_t)thread.stream() << 20) + stack
                 : (uint64_t)(uint32_t)thread.tid();
  }

  std::string us(uint64_t ns) const { return fmt::format("{}.{:03}", ns / 1000, ns % 1000); }

  void keep_arguments(const Thread &thread, const Step &step) {
    if (!step.arguments.empty())
      arguments_[{thread.stream(), step.stack, step.depth}] =
          argument_values(context_.functions.prototype(thread.process(), step.id), step.arguments);
  }

  void put(const std::string &text) {
    context_.output->print("{}{}", is_first_ ? "" : ",\n", text);
    is_first_ = false;
    if (context_.output->size() >= 64 << 10)
      (void)context_.output->flush(); // the last flush() returns the error
  }

  // Names the process and the thread when they are first seen, or renamed.
  void name_thread(const Thread &thread, uint32_t stack) {
    auto name = [&](const char *what, uint64_t tid, const std::string &text) {
      put(fmt::format("{{\"ph\":\"M\",\"name\":{},\"pid\":{},\"tid\":{},\"args\":{{\"name\":{}}}}}",
                      Json(what).text(), thread.pid(), tid, Json(text).text()));
    };
    if (processes_.insert(thread.process()).second)
      name("process_name", (uint64_t)thread.tid(),
           context_.recording.processes().at(thread.process()).comm);
    std::string comm = thread.comm();
    if (stack)
      comm += fmt::format(" (stack {})", stack);
    std::string &known = threads_[{thread.stream(), stack}];
    if (known == comm)
      return;
    known = comm;
    name("thread_name", number_of(thread, stack), comm);
  }

  std::string head(const char *phase, const Thread &thread, const Step &step,
                   const std::string &name, const char *category, uint64_t tsc) {
    name_thread(thread, step.stack);
    return fmt::format("{{\"ph\":\"{}\",\"name\":{},\"cat\":\"{}\",\"pid\":{},\"tid\":{},\"ts\":{}",
                       phase, Json(name).text(), category, thread.pid(),
                       number_of(thread, step.stack), us(context_.recording.clock().at(tsc)));
  }

  void call(const Thread &thread, const Step &step, uint64_t start) {
    Json values = Json::object();
    bool any = add_arguments(thread, step, &values);
    if (!step.result.empty())
      if (auto result =
              result_value(context_.functions.prototype(thread.process(), step.id), step.result))
        values.add("return", result->text), any = true;
    for (const CounterGrowth &counter : counter_growth(step.result))
      values.add(counter.name, counter.growth), any = true;
    if (step.end != Step::kReturned)
      values.add("end", end_name(step.end)), any = true;
    put(head("X", thread, step, context_.functions.name(thread.process(), step.id), "call", start) +
        fmt::format(",\"dur\":{}{}{}}}", us(context_.recording.clock().duration(step.ticks)),
                    any ? ",\"args\":" : "", any ? values.text() : ""));
  }

  void instant(const Thread &thread, const Step &step, const std::string &name,
               const char *category) {
    Json values = Json::object();
    bool any = add_arguments(thread, step, &values);
    if (step.kind == Step::kFunction)
      values.add("caller", context_.functions.caller(thread.process(), step.parent)), any = true;
    put(head("i", thread, step, name, category, step.tsc) +
        fmt::format(",\"s\":\"t\"{}{}}}", any ? ",\"args\":" : "", any ? values.text() : ""));
  }

  bool add_arguments(const Thread &thread, const Step &step, Json *values) {
    auto kept = arguments_.find({thread.stream(), step.stack, step.depth});
    if (kept == arguments_.end())
      return false;
    for (size_t i = 0; i < kept->second.size(); i++) {
      const NamedValue &value = kept->second[i];
      values->add(value.name.empty() ? fmt::format("arg{}", i + 1) : value.name, value.text);
    }
    arguments_.erase(kept);
    return true;
  }

  void mark(const Thread &thread, const Step &step) {
    Mark mark = read_mark(step.arguments);
    if (mark.stack.empty() && !mark.repeats.count)
      instant(thread, step, mark.event ? mark.event->name : mark_text(mark), "mark");
  }

  FormatContext context_;
  bool is_first_ = true;
  std::set<uint32_t> processes_;
  std::map<std::pair<uint32_t, uint32_t>, std::string> threads_; // stream, stack: their names
  std::map<Place, Arguments> arguments_;                         // of open calls
};

} // namespace

std::unique_ptr<EventFormat> make_chrome(const FormatContext &context) {
  return std::make_unique<ChromeFormat>(context);
}

} // namespace nophook
