// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The trace event format of Chrome (chrome://tracing, ui.perfetto.dev, speedscope): JSON with an
// event for each start and each end of a call, as they come.
//
// One complete event for both (`X`) would be shorter. But its end is the sum of two fractions of
// microseconds, which readers round: calls that end at once then seem to end in the wrong order,
// and speedscope leaves such calls open. Only calls without a start are complete events: those that
// tracing_thresh has timed, or whose start a filter has left out.
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
  static uint64_t number_of(const Thread &thread, uint32_t stack) {
    return stack ? kFirstOtherStack + ((uint64_t)thread.stream() << 20) + stack
                 : (uint64_t)(uint32_t)thread.tid();
  }

  std::string us(uint64_t ns) const { return fmt::format("{}.{:03}", ns / 1000, ns % 1000); }

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

  Result<> begin_call(const Thread &thread, const Step &step) override {
    put(head("B", thread, step, name(thread, step), "call", step.tsc) +
        members(arguments(thread, step)));
    return {};
  }

  Result<> end_call(const Thread &thread, const Step &step, uint64_t tsc) override {
    if (step.alone)
      return timed_call(thread, step);
    put(head("E", thread, step, name(thread, step), "call", tsc) +
        members(end_values(thread, step), step.result));
    return {};
  }

  Result<> timed_call(const Thread &thread, const Step &step) override {
    put(head("X", thread, step, name(thread, step), "call",
             step.tsc - std::min(step.tsc, step.ticks)) +
        fmt::format(",\"dur\":{}", us(context_.recording.clock().duration(step.ticks))) +
        members(end_values(thread, step), step.result));
    return {};
  }

  Result<> instant(const Thread &thread, const Step &step, const Instant &instant) override {
    put(head("i", thread, step, instant.name, instant.category, step.tsc) + ",\"s\":\"t\"" +
        members(instant.values));
    return {};
  }

  // The values, and the end of the event.
  static std::string members(const std::vector<NamedValue> &values,
                             std::span<const uint64_t> result = {}) {
    Json object = Json::object();
    const std::vector<CounterGrowth> counters = counter_growth(result);
    for (const CounterGrowth &counter : counters)
      object.add(counter.name, counter.growth);
    for (const NamedValue &value : values)
      object.add(value.name, value.text);
    return values.empty() && counters.empty() ? "}" : ",\"args\":" + object.text() + "}";
  }

  bool is_first_ = true;
  std::set<uint32_t> processes_;
  std::map<std::pair<uint32_t, uint32_t>, std::string> threads_; // stream, stack: their names
};

} // namespace

std::unique_ptr<EventFormat> make_chrome(const FormatContext &context) {
  return std::make_unique<ChromeFormat>(context);
}

} // namespace nophook
