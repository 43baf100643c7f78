// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The trace event format of Chrome (chrome://tracing, ui.perfetto.dev, speedscope): JSON with one
// complete event for each call. A call is written when it ends, so nothing is kept but names.
//
// Calls of one thread must nest, which those of fibers and alternate stacks do not: each stack but
// the first is a thread of its own there, with a number that no thread has.

#include "base/json.h"
#include "formats/track_format.h"

#include <set>

namespace nophook {

namespace {

// Above every thread id: the kernel has at most 2^22.
constexpr uint64_t kFirstOtherStack = uint64_t{1} << 32;

class ChromeFormat : public TrackFormat {
public:
  using TrackFormat::TrackFormat;

  Result<> begin() override {
    context_.output->line("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[");
    return {};
  }

  Result<> finish() override {
    context_.output->line("{}]}}", is_first_ ? "" : "\n");
    return {};
  }

private:
  using Place = std::tuple<uint32_t, uint32_t, uint32_t>; // stream, stack, depth

  static uint64_t number_of(const Thread &thread, uint32_t stack) {
    return stack ? kFirstOtherStack + ((uint64_t)thread.stream() << 20) + stack
                 : (uint64_t)(uint32_t)thread.tid();
  }

  std::string us(uint64_t ns) const { return fmt::format("{}.{:03}", ns / 1000, ns % 1000); }

  Result<> begin_call(const Thread &thread, const Step &step) override {
    if (!step.arguments.empty())
      arguments_[{thread.stream(), step.stack, step.depth}] = arguments(thread, step);
    return {};
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

  Result<> end_call(const Thread &thread, const Step &step, uint64_t tsc) override {
    Json values = Json::object();
    bool any = false;
    if (auto kept = arguments_.extract({thread.stream(), step.stack, step.depth}))
      any = add(&values, kept.mapped());
    for (const CounterGrowth &counter : counter_growth(step.result))
      values.add(counter.name, counter.growth), any = true;
    any |= add(&values, end_values(thread, step));
    put(head("X", thread, step, name(thread, step), "call", tsc - std::min(tsc, step.ticks)) +
        fmt::format(",\"dur\":{}{}{}}}", us(context_.recording.clock().duration(step.ticks)),
                    any ? ",\"args\":" : "", any ? values.text() : ""));
    return {};
  }

  Result<> instant(const Thread &thread, const Step &step, const Instant &instant) override {
    Json values = Json::object();
    bool any = add(&values, instant.values);
    put(head("i", thread, step, instant.name, instant.category, step.tsc) +
        fmt::format(",\"s\":\"t\"{}{}}}", any ? ",\"args\":" : "", any ? values.text() : ""));
    return {};
  }

  static bool add(Json *object, const std::vector<NamedValue> &values) {
    for (const NamedValue &value : values)
      object->add(value.name, value.text);
    return !values.empty();
  }

  bool is_first_ = true;
  std::set<uint32_t> processes_;
  std::map<std::pair<uint32_t, uint32_t>, std::string> threads_; // stream, stack: their names
  std::map<Place, std::vector<NamedValue>> arguments_;           // of open calls
};

} // namespace

std::unique_ptr<EventFormat> make_chrome(const FormatContext &context) {
  return std::make_unique<ChromeFormat>(context);
}

} // namespace nophook
