// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The processed profile of the Firefox Profiler (https://profiler.firefox.com), version 48; later
// ones upgrade it when they open it. docs-developer/CHANGELOG-formats.md there has what changed.
//
// It is made of samples, not of calls: "at this time, this stack". Each time that a stack changes,
// there is a sample of what it was until then, weighted by how long (`tracing-ms`); so the sums of
// samples are the calls' own times, exactly. An event without a duration is a marker, and so are
// calls that tracing_thresh has timed. Each stack of a thread is a thread there.

#include "foundation/json.h"
#include "show/formats/spool.h"
#include "show/formats/track_format.h"

namespace nophook {

namespace {

constexpr uint32_t kNone = ~uint32_t{0};

class FirefoxFormat : public TrackFormat {
public:
  using TrackFormat::TrackFormat;

  Result<> begin() override { return spool_.open(); }

  Result<> finish() override {
    Output &out = *context_.output;
    out.print(R"({{"meta":{{"interval":1,"startTime":{},)", start_ms());
    out.line(
        R"("processType":0,"product":"nophook",)"
        R"("stackwalk":0,"debug":false,"version":29,"preprocessedProfileVersion":48,)"
        R"("symbolicated":true,"usesOnlyOneStackType":true,)"
        R"("doesNotUseFrameImplementation":true,"sourceCodeIsNotOnSearchfox":true,)"
        R"("abi":"","misc":"","oscpu":"","platform":"","toolkit":"",)"
        R"("extensions":{"id":[],"name":[],"baseURL":[],"length":0},)"
        R"("sampleUnits":{"time":"ms","eventDelay":"ms","threadCPUDelta":"ns"},)"
        R"("categories":[{"name":"Other","color":"grey","subcategories":["Other"]},)"
        R"({"name":"Traced","color":"blue","subcategories":["Other"]}],)"
        R"("markerSchema":[{"name":"nophook","tooltipLabel":"{marker.name}",)"
        R"("tableLabel":"{marker.name} {marker.data.values}",)"
        R"("display":["marker-chart","marker-table","timeline-overview"],)"
        R"("data":[{"key":"values","label":"Values","format":"string","searchable":true}]}]},)");
    out.add("\"libs\":[],\"pages\":[],\"threads\":[");
    bool is_first = true;
    for (const auto &[place, track] : tracks_) {
      out.add(is_first ? "\n" : ",\n");
      is_first = false;
      NOPHOOK_TRY(put_track(out, track));
    }
    out.line("]}");
    return {};
  }

private:
  struct Track {
    std::string name;
    std::string process;
    int32_t pid, tid;
    bool is_main;
    uint64_t first_ns, last_ns; // first event; end of the samples so far

    std::vector<std::string> strings;
    std::unordered_map<std::string, uint32_t> string_numbers;
    std::vector<uint32_t> functions; // indices in `strings` of their names
    std::unordered_map<uint32_t, uint32_t> function_numbers;
    std::vector<std::pair<uint32_t, uint32_t>> stacks; // index of the stack around it, function
    std::map<std::pair<uint32_t, uint32_t>, uint32_t> stack_numbers;
    uint32_t stack = kNone; // index of the current stack

    uint64_t samples = 0, markers = 0;
    Spool::Column stack_column, time_column, weight_column;
    Spool::Column marker_names, marker_starts, marker_ends, marker_phases, marker_data;
  };

  uint64_t ns_of(uint64_t tsc) const { return context_.recording.clock().at(tsc); }

  // The time of the first event of all threads, in milliseconds since 1970.
  std::string start_ms() const {
    const WallTime &wall = context_.recording.wall_time();
    const uint64_t ns = wall.is_known() ? wall.at(first_ns_) : 0;
    return fmt::format("{}.{:06}", ns / 1'000'000, ns % 1'000'000);
  }

  // The milliseconds since the first event of all threads, as text.
  std::string ms(uint64_t ns) const {
    ns -= std::min(ns, first_ns_);
    return fmt::format("{}.{:06}", ns / 1'000'000, ns % 1'000'000);
  }

  Track &track_of(const Thread &thread, uint32_t stack, uint64_t ns) {
    if (is_first_)
      first_ns_ = ns;
    is_first_ = false;
    auto [at, is_new] = tracks_.try_emplace({thread.process(), thread.stream(), stack});
    Track &track = at->second;
    if (!is_new)
      return track;
    track.name = stack ? fmt::format("{} (stack {})", thread.comm(), stack) : thread.comm();
    track.process = process_of(thread.process()).comm;
    track.pid = thread.pid();
    track.tid = thread.tid();
    track.is_main = !stack && thread.pid() == thread.tid();
    track.first_ns = track.last_ns = ns;
    return track;
  }

  static uint32_t string_of(Track &track, const std::string &text) {
    auto [at, is_new] = track.string_numbers.try_emplace(text, (uint32_t)track.strings.size());
    if (is_new)
      track.strings.push_back(text);
    return at->second;
  }

  // Adds a sample of the stack as it was until `ns`.
  Result<> sample(Track &track, uint64_t ns) {
    if (ns <= track.last_ns)
      return {};
    uint64_t took = ns - track.last_ns;
    track.samples++;
    NOPHOOK_TRY(spool_.add_element(&track.stack_column,
                                   track.stack == kNone ? "null" : fmt::format("{}", track.stack)));
    NOPHOOK_TRY(spool_.add_element(&track.time_column, ms(track.last_ns)));
    NOPHOOK_TRY(spool_.add_element(&track.weight_column,
                                   fmt::format("{}.{:06}", took / 1'000'000, took % 1'000'000)));
    track.last_ns = ns;
    return {};
  }

  Result<> begin_call(const Thread &thread, const Step &step) override {
    uint64_t ns = ns_of(step.tsc);
    Track &track = track_of(thread, step.stack, ns);
    NOPHOOK_TRY(sample(track, ns));
    uint32_t text = string_of(track, name(thread, step));
    auto [function, is_new_function] =
        track.function_numbers.try_emplace(text, (uint32_t)track.functions.size());
    if (is_new_function)
      track.functions.push_back(text);
    std::pair<uint32_t, uint32_t> key = {track.stack, function->second};
    auto [stack, is_new_stack] =
        track.stack_numbers.try_emplace(key, (uint32_t)track.stacks.size());
    if (is_new_stack)
      track.stacks.push_back(key);
    track.stack = stack->second;
    return {};
  }

  Result<> end_call(const Thread &thread, const Step &step, uint64_t tsc) override {
    uint64_t ns = ns_of(tsc);
    Track &track = track_of(thread, step.stack, ns);
    if (track.stack == kNone)
      return {};
    NOPHOOK_TRY(sample(track, ns));
    track.stack = track.stacks[track.stack].first;
    return {};
  }

  Result<> marker(Track &track, const std::string &name, uint64_t from_ns,
                  std::optional<uint64_t> to_ns, const std::vector<NamedValue> &values) {
    constexpr std::string_view kInstant = "0", kInterval = "1";
    std::string text;
    for (const NamedValue &value : values)
      text += fmt::format("{}{}={}", text.empty() ? "" : ", ", value.name, value.text);
    track.markers++;
    NOPHOOK_TRY(spool_.add_element(&track.marker_names, fmt::format("{}", string_of(track, name))));
    NOPHOOK_TRY(spool_.add_element(&track.marker_starts, ms(from_ns)));
    NOPHOOK_TRY(spool_.add_element(&track.marker_ends, to_ns ? ms(*to_ns) : "null"));
    NOPHOOK_TRY(spool_.add_element(&track.marker_phases, to_ns ? kInterval : kInstant));
    return spool_.add_element(&track.marker_data,
                              Json{{"type", "nophook"}, {"values", text}}.text());
  }

  Result<> instant(const Thread &thread, const Step &step, const Instant &instant) override {
    uint64_t ns = ns_of(step.tsc);
    return marker(track_of(thread, step.stack, ns), instant.name, ns, {}, instant.values);
  }

  Result<> interval(const Thread &thread, const Step &step, const Instant &what) override {
    const uint64_t from = ns_of(step.from());
    return marker(track_of(thread, step.stack, from), what.name, from, ns_of(step.tsc),
                  what.values);
  }

  Result<> timed_call(const Thread &thread, const Step &step) override {
    uint64_t from = ns_of(step.from());
    return marker(track_of(thread, step.stack, from), name(thread, step), from, ns_of(step.tsc),
                  end_values(thread, step));
  }

  // Writes `"NAME":[...]`: element(i) writes the element with the number i, for each of `count`.
  template <class Element>
  static void list(Output &out, const char *name, size_t count, const Element &element) {
    out.print("\"{}\":[", name);
    for (size_t i = 0; i < count; i++) {
      if (i)
        out.add(',');
      element(i);
    }
    out.add("],");
  }

  Result<> list(Output &out, const char *name, const Spool::Column &column) {
    out.print("\"{}\":[", name);
    NOPHOOK_TRY(spool_.copy(column, &out));
    out.add("],");
    return {};
  }

  Result<> put_track(Output &out, const Track &track) {
    out.print(R"({{"processType":"default","processName":{},"processStartupTime":0,)"
              R"("processShutdownTime":null,"registerTime":{},"unregisterTime":null,)"
              R"("pausedRanges":[],"name":{},"isMainThread":{},"pid":"{}","tid":{},"samples":{{)"
              R"("weightType":"tracing-ms",)",
              Json(track.process).text(), ms(track.first_ns), Json(track.name).text(),
              track.is_main, track.pid, track.tid);
    NOPHOOK_TRY(list(out, "stack", track.stack_column));
    NOPHOOK_TRY(list(out, "time", track.time_column));
    NOPHOOK_TRY(list(out, "weight", track.weight_column));
    out.print("\"length\":{}}},\n\"markers\":{{", track.samples);
    NOPHOOK_TRY(list(out, "data", track.marker_data));
    NOPHOOK_TRY(list(out, "name", track.marker_names));
    NOPHOOK_TRY(list(out, "startTime", track.marker_starts));
    NOPHOOK_TRY(list(out, "endTime", track.marker_ends));
    NOPHOOK_TRY(list(out, "phase", track.marker_phases));
    list(out, "category", track.markers, [&](size_t) { out.add('0'); });
    out.print("\"length\":{}}},\n\"stackTable\":{{", track.markers);
    const size_t stacks = track.stacks.size(), functions = track.functions.size();
    list(out, "frame", stacks, [&](size_t i) { out.number(track.stacks[i].second); });
    list(out, "prefix", stacks, [&](size_t i) {
      if (track.stacks[i].first == kNone)
        out.add("null");
      else
        out.number(track.stacks[i].first);
    });
    list(out, "category", stacks, [&](size_t) { out.add('1'); });
    list(out, "subcategory", stacks, [&](size_t) { out.add('0'); });
    out.print("\"length\":{}}},\n\"frameTable\":{{", stacks);
    auto all = [&](const char *name, std::string_view value) {
      list(out, name, functions, [&](size_t) { out.add(value); });
    };
    all("address", "-1");
    all("inlineDepth", "0");
    all("category", "1");
    all("subcategory", "0");
    list(out, "func", functions, [&](size_t i) { out.number(i); });
    for (const char *name : {"nativeSymbol", "innerWindowID", "implementation", "line", "column"})
      all(name, "null");
    out.print("\"length\":{}}},\n\"funcTable\":{{", functions);
    all("isJS", "false");
    all("relevantForJS", "false");
    list(out, "name", functions, [&](size_t i) { out.number(track.functions[i]); });
    all("resource", "-1");
    for (const char *name : {"fileName", "lineNumber", "columnNumber"})
      all(name, "null");
    out.print("\"length\":{}}},\n", functions);
    out.add(
        R"("resourceTable":{"lib":[],"name":[],"host":[],"type":[],"length":0},)"
        R"("nativeSymbols":{"libIndex":[],"address":[],"name":[],"functionSize":[],"length":0},)");
    out.add("\n\"stringArray\":[");
    for (size_t i = 0; i < track.strings.size(); i++)
      out.print("{}{}", i ? "," : "", Json(track.strings[i]).text());
    out.add("]}");
    return out.flush();
  }

  Spool spool_;
  bool is_first_ = true;
  uint64_t first_ns_ = 0;
  std::map<std::tuple<uint32_t, uint32_t, uint32_t>, Track> tracks_; // process, stream, stack
};

} // namespace

std::unique_ptr<EventFormat> make_firefox(const FormatContext &context) {
  return std::make_unique<FirefoxFormat>(context);
}

} // namespace nophook
