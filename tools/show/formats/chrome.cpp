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
//
// A recording has hundreds of millions of events, so a line is put together from texts that are
// made once for each function and each track, and numbers. To format each line took 300 ns.

#include "foundation/json.h"
#include "show/formats/track_format.h"

#include <array>
#include <cstring>
#include <set>

namespace nophook {

namespace {

// A number above every thread id: the kernel has at most 2^22.
constexpr uint64_t kFirstOtherStack = uint64_t{1} << 32;

class ChromeFormat : public TrackFormat {
public:
  using TrackFormat::TrackFormat;

  Result<> begin() override {
    context_.output->line("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[");
    return {};
  }

  Result<> finish() override {
    context_.output->line("{}]{}}}", is_first_ ? "" : "\n", clock_data());
    return {};
  }

private:
  static std::string us(uint64_t ns) { return fmt::format("{}.{:03}", ns / 1000, ns % 1000); }

  // The clocks, for viewers that show a trace's metadata. Times of events are of CLOCK_MONOTONIC.
  std::string clock_data() const {
    const WallTime &wall = context_.recording.wall_time();
    if (!wall.is_known())
      return "";
    const auto [monotonic_ns, realtime_ns] = wall.notes().front();
    return fmt::format(R"(,"otherData":{{"clock":"monotonic","monotonic_us":{},"realtime_us":{}}})",
                       us(monotonic_ns), us(realtime_ns));
  }

  using Comm = std::array<char, sizeof(nophook_subbuf::comm)>;

  struct Track { // the state of a stack
    Comm comm = {};
    std::string name;
    std::string place; // "pid":1,"tid":2,"ts":
  };

  static uint64_t number_of(const Thread &thread, uint32_t stack) {
    return stack ? kFirstOtherStack + ((uint64_t)thread.stream() << 20) + stack
                 : (uint64_t)(uint32_t)thread.tid();
  }

  // Adds microseconds with three digits behind the point.
  void add_us(uint64_t ns) {
    context_.output->number(ns / 1000);
    context_.output->add('.');
    context_.output->number(ns % 1000, 3, '0');
  }

  void next_line() {
    Output &out = *context_.output;
    if (out.size() >= 64 << 10)
      (void)out.flush(); // the last flush() returns the error
    if (!std::exchange(is_first_, false))
      out.add(",\n");
  }

  // Writes the names of the process and the thread when they are first seen, or renamed.
  void name_track(const Thread &thread, uint32_t stack, Track *track) {
    auto name = [&](const char *what, uint64_t tid, const std::string &text) {
      next_line();
      context_.output->print(
          "{{\"ph\":\"M\",\"name\":{},\"pid\":{},\"tid\":{},\"args\":{{\"name\":{}}}}}",
          Json(what).text(), thread.pid(), tid, Json(text).text());
    };
    if (processes_.insert(thread.process()).second)
      name("process_name", (uint64_t)thread.tid(), process_of(thread.process()).comm);
    std::string comm = thread.comm();
    if (stack)
      comm += fmt::format(" (stack {})", stack);
    if (track->name == comm)
      return;
    track->name = comm;
    name("thread_name", number_of(thread, stack), comm);
  }

  const Track &track_of(const Thread &thread, uint32_t stack) {
    const std::pair wanted = {thread.stream(), stack};
    if (!last_track_ || last_wanted_ != wanted) {
      last_wanted_ = wanted;
      last_track_ = &tracks_[wanted];
      if (last_track_->place.empty())
        last_track_->place =
            fmt::format("\"pid\":{},\"tid\":{},\"ts\":", thread.pid(), number_of(thread, stack));
    }
    Comm &known = last_track_->comm;
    if (last_track_->name.empty() || std::memcmp(known.data(), thread.raw_comm(), known.size())) {
      std::memcpy(known.data(), thread.raw_comm(), known.size());
      name_track(thread, stack, last_track_);
    }
    return *last_track_;
  }

  // The function's name as a JSON string.
  const std::string &quoted_name(const Thread &thread, const Step &step) {
    if (step.id >= 1u << NOPHOOK_ID_BITS) // the event is damaged
      return other_name_ = Json(name(thread, step)).text();
    if (!last_names_ || last_process_ != thread.process()) {
      last_process_ = thread.process();
      last_names_ = &names_[last_process_];
    }
    if (step.id >= last_names_->size())
      last_names_->resize(step.id + size_t{1});
    std::string &known = (*last_names_)[step.id];
    if (known.empty())
      known = Json(name(thread, step)).text();
    return known;
  }

  void add_head(std::string_view phase, const Thread &thread, const Step &step,
                std::string_view quoted, std::string_view category, uint64_t tsc) {
    const Track &track = track_of(thread, step.stack);
    Output &out = *context_.output;
    next_line();
    out.add("{\"ph\":\"");
    out.add(phase);
    out.add("\",\"name\":");
    out.add(quoted);
    out.add(",\"cat\":\"");
    out.add(category);
    out.add("\",");
    out.add(track.place);
    add_us(context_.recording.clock().at(tsc));
  }

  // Adds the values, and the end of the event.
  void add_end(const std::vector<NamedValue> &values, std::span<const uint64_t> result = {}) {
    Json object = Json::object();
    const std::vector<CounterGrowth> counters = counter_growth(result);
    for (const CounterGrowth &counter : counters)
      object.add(counter.name, counter.growth);
    for (const NamedValue &value : values)
      object.add(value.name, value.text);
    if (!values.empty() || !counters.empty()) {
      context_.output->add(",\"args\":");
      context_.output->add(object.text());
    }
    context_.output->add('}');
  }

  void add_result(const Thread &thread, const Step &step) {
    if (step.result.empty() && step.end == Step::kReturned)
      context_.output->add('}');
    else
      add_end(end_values(thread, step), step.result);
  }

  Result<> begin_call(const Thread &thread, const Step &step) override {
    add_head("B", thread, step, quoted_name(thread, step), "call", step.tsc);
    if (step.arguments.empty())
      context_.output->add('}');
    else
      add_end(arguments(thread, step));
    return {};
  }

  Result<> end_call(const Thread &thread, const Step &step, uint64_t tsc) override {
    add_head("E", thread, step, quoted_name(thread, step), "call", tsc);
    add_result(thread, step);
    return {};
  }

  Result<> timed_call(const Thread &thread, const Step &step) override {
    add_head("X", thread, step, quoted_name(thread, step), "call", step.from());
    context_.output->add(",\"dur\":");
    add_us(context_.recording.clock().duration(step.ticks));
    add_result(thread, step);
    return {};
  }

  Result<> interval(const Thread &thread, const Step &step, const Instant &what) override {
    add_head("X", thread, step, Json(what.name).text(), what.category, step.from());
    context_.output->add(",\"dur\":");
    add_us(context_.recording.clock().duration(step.ticks));
    add_end(what.values);
    return {};
  }

  Result<> instant(const Thread &thread, const Step &step, const Instant &instant) override {
    add_head("i", thread, step, Json(instant.name).text(), instant.category, step.tsc);
    context_.output->add(",\"s\":\"t\"");
    add_end(instant.values);
    return {};
  }

  bool is_first_ = true;
  std::set<uint32_t> processes_;
  std::map<std::pair<uint32_t, uint32_t>, Track> tracks_; // by stream and stack
  std::pair<uint32_t, uint32_t> last_wanted_ = {};
  Track *last_track_ = nullptr;                        // last used entry
  std::map<uint32_t, std::vector<std::string>> names_; // by process, then by id; empty: unknown
  uint32_t last_process_ = 0;
  std::vector<std::string> *last_names_ = nullptr; // last used entry
  std::string other_name_;
};

} // namespace

std::unique_ptr<EventFormat> make_chrome(const FormatContext &context) {
  return std::make_unique<ChromeFormat>(context);
}

} // namespace nophook
