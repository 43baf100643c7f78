// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The file of speedscope (https://www.speedscope.app/file-format-schema.json): for each stack of a
// thread one "evented" profile, the begins and ends of its calls.
//
// A profile is written in one piece, but the steps of all threads come mixed: each thread's events
// are a column of a spool (show/formats/spool.h).
//
// A profile has nothing but frames that begin and end. An event without a duration is a frame of 0
// ns: a mark as `[mark] text`, a loss as `[12 events lost]`, the end of a call without a start as
// `[end of name]`. Calls that tracing_thresh has timed come when they end, behind the calls in
// them, and a profile wants their start first: they wait until the end, sorted, in a profile of
// their own. They are few, or tracing_thresh would make no sense.

#include "foundation/counted.h"
#include "foundation/json.h"
#include "read/recording/tracer_form.h"
#include "show/formats/spool.h"
#include "show/formats/track_format.h"

namespace nophook {

namespace {

class SpeedscopeFormat : public TrackFormat {
public:
  using TrackFormat::TrackFormat;

  Result<> accepts() const override {
    if (is_graph_recording(context_.recording))
      return {};
    return error_at(context_.recording.path(),
                    "has calls without a duration, which speedscope cannot show: formats that can "
                    "are chrome, perfetto and folded");
  }

  Result<> begin() override { return spool_.open(); }

  Result<> finish() override {
    for (const auto &[stream, calls] : timed_)
      NOPHOOK_TRY(put_timed(stream, calls));
    if (instants_)
      fmt::print(stderr,
                 "nophook: speedscope shows durations only: {} without one (marks, losses, ends of "
                 "calls that began earlier) became frames of 0 ns\n",
                 counted(instants_, "event"));
    if (most_levels_ > kMostLevels)
      fmt::print(stderr,
                 "nophook: calls are up to {} levels deep: speedscope fails on more than about {}. "
                 "`nophook view` and `nophook graph` show them\n",
                 most_levels_, kMostLevels);
    Output &out = *context_.output;
    out.line("{{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\","
             "\"exporter\":\"nophook\",\"name\":{},\"profiles\":[",
             Json(context_.recording.path()).text());
    bool is_first = true;
    for (auto &[place, profile] : profiles_) {
      out.print("{}{{\"type\":\"evented\",\"name\":{},\"unit\":\"nanoseconds\",\"startValue\":{},"
                "\"endValue\":{},\"events\":[",
                is_first ? "" : ",\n", Json(profile.name).text(), profile.first_ns,
                profile.last_ns);
      is_first = false;
      NOPHOOK_TRY(spool_.copy(profile.events, &out));
      out.add("]}");
    }
    out.line("],");
    out.add("\"shared\":{\"frames\":[");
    for (size_t i = 0; i < frames_.size(); i++)
      out.print("{}{{\"name\":{}}}", i ? ",\n" : "", Json(frames_[i]).text());
    out.line("]}}");
    return {};
  }

private:
  static constexpr size_t kMostLevels = 5000; // speedscope calls itself for each level

  struct Profile {
    std::string name;
    uint64_t first_ns = 0, last_ns = 0;
    std::vector<size_t> open; // frames of the open calls
    Spool::Column events;
  };

  static constexpr uint32_t kTimedStack = ~uint32_t{0}; // the profile of calls that were timed
  struct Timed {
    uint64_t from_ns, to_ns;
    size_t frame;
    size_t number; // with the same times, the last one is around the others
  };

  Profile &profile_of(const Thread &thread, uint32_t stack) {
    Profile &profile = profiles_[{thread.stream(), stack}];
    if (profile.name.empty())
      profile.name = fmt::format("{} {}{}", thread.comm(), thread.tid(),
                                 stack == kTimedStack ? " (tracing_thresh)"
                                 : stack              ? fmt::format(" (stack {})", stack)
                                                      : "");
    return profile;
  }

  size_t frame_of(const std::string &name) {
    auto [at, is_new] = numbers_.try_emplace(name, frames_.size());
    if (is_new)
      frames_.push_back(name);
    return at->second;
  }

  Result<> event(Profile &profile, char type, size_t frame, uint64_t ns) {
    if (profile.events.is_empty())
      profile.first_ns = ns;
    profile.last_ns = std::max(profile.last_ns, ns);
    return spool_.add_element(
        &profile.events,
        fmt::format("{{\"type\":\"{}\",\"frame\":{},\"at\":{}}}", type, frame, ns));
  }

  uint64_t ns_of(uint64_t tsc) const { return context_.recording.clock().at(tsc); }

  Result<> begin_call(const Thread &thread, const Step &step) override {
    Profile &profile = profile_of(thread, step.stack);
    profile.open.push_back(frame_of(name(thread, step)));
    most_levels_ = std::max(most_levels_, profile.open.size());
    return event(profile, 'O', profile.open.back(), ns_of(step.tsc));
  }

  Result<> end_call(const Thread &thread, const Step &step, uint64_t tsc) override {
    Profile &profile = profile_of(thread, step.stack);
    if (profile.open.empty())
      return {};
    size_t frame = profile.open.back();
    profile.open.pop_back();
    return event(profile, 'C', frame, ns_of(tsc));
  }

  Result<> instant(const Thread &thread, const Step &step, const Instant &instant) override {
    const std::string_view category = instant.category;
    instants_ += category != "call";
    Profile &profile = profile_of(thread, step.stack);
    size_t frame = frame_of(category == "call"   ? instant.name
                            : category == "mark" ? "[mark] " + instant.name
                                                 : "[" + instant.name + "]");
    NOPHOOK_TRY(event(profile, 'O', frame, ns_of(step.tsc)));
    return event(profile, 'C', frame, ns_of(step.tsc));
  }

  Result<> timed_call(const Thread &thread, const Step &step) override {
    profile_of(thread, kTimedStack);
    std::vector<Timed> &calls = timed_[thread.stream()];
    calls.push_back(
        {ns_of(step.from()), ns_of(step.to()), frame_of(name(thread, step)), calls.size()});
    return {};
  }

  // Writes the timed calls, outer calls first. A call that ends in the middle of another one ends
  // with it.
  Result<> put_timed(uint32_t stream, std::vector<Timed> calls) {
    Profile &profile = profiles_[{stream, kTimedStack}];
    std::ranges::sort(calls, {}, [](const Timed &call) {
      return std::tuple(call.from_ns, ~call.to_ns, ~call.number);
    });
    std::vector<Timed> open;
    auto end_until = [&](uint64_t ns) -> Result<> {
      for (; !open.empty() && open.back().to_ns <= ns; open.pop_back())
        NOPHOOK_TRY(event(profile, 'C', open.back().frame, open.back().to_ns));
      return {};
    };
    for (Timed call : calls) {
      NOPHOOK_TRY(end_until(call.from_ns));
      if (!open.empty())
        call.to_ns = std::min(call.to_ns, open.back().to_ns);
      NOPHOOK_TRY(event(profile, 'O', call.frame, call.from_ns));
      open.push_back(call);
    }
    return end_until(~uint64_t{0});
  }

  std::map<uint32_t, std::vector<Timed>> timed_; // by stream
  uint64_t instants_ = 0;                        // number of instants that are no calls
  size_t most_levels_ = 0;                       // most open calls at once
  Spool spool_;
  std::map<std::pair<uint32_t, uint32_t>, Profile> profiles_; // by stream and stack
  std::vector<std::string> frames_;
  std::unordered_map<std::string, size_t> numbers_; // indices in frames_
};

} // namespace

std::unique_ptr<EventFormat> make_speedscope(const FormatContext &context) {
  return std::make_unique<SpeedscopeFormat>(context);
}

} // namespace nophook
