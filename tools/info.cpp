// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nophook info: what a recording is of, for a file that was found: the command, the machine, when,
// which processes, how much, and whether all of it is there.
//
// Only the first and the last sub-buffer of each thread are read, so a recording of 10 GB is
// described at once.

#include "foundation/counted.h"
#include "foundation/file.h"
#include "foundation/json.h"
#include "foundation/options.h"
#include "foundation/output.h"
#include "foundation/terminal.h"
#include "process/drain/open_recording.h"
#include "read/recording/tracer_form.h"
#include "read/steps/timeline.h"
#include "read/symbols/functions.h"
#include "show/print/duration.h"
#include "verbs.h"

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <optional>
#include <set>

namespace nophook {

namespace {

struct TimeRange {
  uint64_t from_tsc = ~uint64_t{0}, to_tsc = 0;
  bool empty() const { return from_tsc > to_tsc; }
};

// The time from the first to the last of all events.
TimeRange time_range(Recording &recording) {
  TimeRange range;
  for (const auto &[index, stream] : recording.streams()) {
    SubbufView view;
    if (stream.subbufs.empty() || !recording.load(stream.subbufs.front(), &view))
      continue;
    range.from_tsc = std::min(range.from_tsc, view.header.time_base);
    if (!recording.load(stream.subbufs.back(), &view))
      continue;
    bool is_given = false;
    Timeline last([&](Timeline::Words *words) {
      *words = {view.header, view.words, view.memory};
      return !std::exchange(is_given, true);
    });
    for (Step step; last.next(&step);)
      range.to_tsc = std::max(range.to_tsc, step.to());
  }
  return range;
}

struct ProcessSums {
  uint64_t threads = 0, events = 0, lost = 0, overwritten = 0;
};

std::map<uint32_t, ProcessSums> sums_of(const Recording &recording) {
  std::map<uint32_t, ProcessSums> sums;
  for (const auto &[index, process] : recording.processes()) {
    ProcessSums &sum = sums[index];
    sum.lost = process.lost;
    sum.overwritten = process.overwritten;
    sum.threads = process.profiles.size();
  }
  for (const auto &[index, stream] : recording.streams()) {
    ProcessSums &sum = sums[stream.process];
    sum.threads++;
    sum.events += stream.events;
    sum.lost += stream.lost;
    sum.overwritten += stream.overwritten;
  }
  return sums;
}

std::string joined(const std::vector<std::string> &words) {
  return printable(fmt::format("{}", fmt::join(words, " ")));
}

std::string date_of(int64_t realtime_ns) {
  const time_t seconds = (time_t)(realtime_ns / 1'000'000'000);
  tm utc = {};
  char text[64] = "";
  if (::gmtime_r(&seconds, &utc))
    std::strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S UTC", &utc);
  return text;
}

std::string size_text(uint64_t bytes) {
  if (bytes < 1 << 20)
    return fmt::format("{:.1f} KiB", (double)bytes / (1 << 10));
  return fmt::format("{:.1f} MiB", (double)bytes / (1 << 20));
}

uint64_t bytes_of_file(const std::string &path) {
  std::error_code error;
  const uint64_t bytes = std::filesystem::file_size(path, error);
  return error ? 0 : bytes;
}

// The facts about a recording that both the text and the JSON are made from.
struct Description {
  explicit Description(Recording &recording)
      : recording(recording), range(time_range(recording)), sums(sums_of(recording)),
        index_bytes(bytes_of_file(recording.path() + ".index")) {
    for (const auto &[process, sum] : sums)
      threads += sum.threads;
    for (const auto &[number, process] : recording.processes()) {
      if (!process.clock.empty())
        clock = process.clock;
      else if (process.counter_hz)
        clock = fmt::format("counter of {:.6g} MHz", (double)process.counter_hz / 1e6);
      processors.insert(processor_name(process.machine));
    }
  }

  Recording &recording;
  TimeRange range;
  std::map<uint32_t, ProcessSums> sums;
  uint64_t threads = 0, index_bytes;
  std::string clock = "time-stamp counter"; // the name on x86-64
  std::set<std::string> processors;
};

// The log of the runtime in the process, or of its recorder, for the user.
void print_log(Output &output, const RecordedProcess &process) {
  for (size_t at = 0, end; at < process.log.size(); at = end + 1) {
    end = std::min(process.log.find('\n', at), process.log.size());
    output.line("  {:>8}  {}", process.pid, printable(process.log.substr(at, end - at)));
  }
}

void print_text(Output &output, const Description &it) {
  const Recording &recording = it.recording;
  const JsonFields &info = recording.info();
  auto row = [&](const char *name, const std::string &value) {
    if (!value.empty())
      output.line("{:<12} {}", name, value);
  };
  const uint64_t events = recording.events();
  row("recording", printable(recording.path()));
  row("size", fmt::format("{}{}{}", size_text(recording.bytes()),
                          events ? fmt::format(", {:.1f} bytes an event",
                                               (double)recording.bytes() / (double)events)
                                 : "",
                          recording.is_packed() ? ", compressed" : ""));
  row("index", it.index_bytes ? size_text(it.index_bytes) : "none");
  row("command", joined(info.texts("command")));
  row("host", printable(info.text("host")));
  row("system",
      printable(fmt::format("{}{}{}", info.text("kernel"), info.text("machine").empty() ? "" : " ",
                            info.text("machine"))));
  row("processor", fmt::format("{}", fmt::join(it.processors, ", ")));
  row("CPUs", info.number("cpus") ? fmt::format("{}", info.number("cpus")) : "");
  row("recorded", info.flag("recovered")    ? "recovered from buffers"
                  : info.number("start_ns") ? date_of(info.number("start_ns"))
                                            : "");
  row("tracer", printable(info.text("tracer")));
  row("filter", joined(info.texts("filter")));
  row("notrace", joined(info.texts("notrace")));
  row("clock", printable(it.clock));
  if (!it.range.empty() && !recording.clock().counts_events)
    row("time",
        fmt::format("{}, from {:.6f} to {:.6f} s",
                    short_duration(recording.clock().duration(it.range.to_tsc - it.range.from_tsc)),
                    (double)recording.clock().at(it.range.from_tsc) / 1e9,
                    (double)recording.clock().at(it.range.to_tsc) / 1e9));
  row("processes", fmt::format("{}", recording.processes().size()));
  row("threads", fmt::format("{}", it.threads));
  if (!is_profile_recording(recording))
    row("events", fmt::format("{}", events));
  row("lost", fmt::format("{}", recording.lost()));
  row("overwritten", fmt::format("{}", recording.overwritten()));
  row("end", recording.damage().empty() ? "complete" : recording.damage());
  output.line("");
  output.line("  {:>8}  {:>8}  {:>8}  {:>12}  {:>10}  Command", "PID", "Parent", "Threads",
              "Events", "Lost");
  for (const auto &[index, process] : recording.processes()) {
    const ProcessSums &sum = it.sums.at(index);
    output.line("  {:>8}  {:>8}  {:>8}  {:>12}  {:>10}  {}", process.pid, process.ppid, sum.threads,
                sum.events, sum.lost,
                process.arguments.empty() ? process.comm : joined(process.arguments));
  }
  for (const auto &[index, process] : recording.processes())
    print_log(output, process);
}

Json list_of(const std::vector<std::string> &texts) {
  Json list = Json::list();
  for (const std::string &text : texts)
    list.push(text);
  return list;
}

std::string json_text(const Description &it) {
  const Recording &recording = it.recording;
  const JsonFields &info = recording.info();
  Json processes = Json::list();
  for (const auto &[index, process] : recording.processes()) {
    const ProcessSums &sum = it.sums.at(index);
    processes.push(Json{{"pid", process.pid},
                        {"ppid", process.ppid},
                        {"comm", process.comm},
                        {"exe", process.exe},
                        {"arguments", list_of(process.arguments)},
                        {"threads", sum.threads},
                        {"events", sum.events},
                        {"lost", sum.lost},
                        {"overwritten", sum.overwritten},
                        {"log", process.log}});
  }
  Json line = {{"path", recording.path()},
               {"bytes", recording.bytes()},
               {"compressed", recording.is_packed()},
               {"index_bytes", it.index_bytes},
               {"command", list_of(info.texts("command"))},
               {"host", info.text("host")},
               {"kernel", info.text("kernel")},
               {"machine", info.text("machine")},
               {"processors", list_of({it.processors.begin(), it.processors.end()})},
               {"cpus", info.number("cpus")},
               {"recovered", info.flag("recovered")},
               {"start_ns", info.number("start_ns")},
               {"tracer", info.text("tracer")},
               {"filter", list_of(info.texts("filter"))},
               {"notrace", list_of(info.texts("notrace"))},
               {"clock", it.clock}};
  if (!it.range.empty())
    line.add("from_ns", recording.clock().at(it.range.from_tsc))
        .add("to_ns", recording.clock().at(it.range.to_tsc));
  line.add("threads", it.threads)
      .add("events", recording.events())
      .add("lost", recording.lost())
      .add("overwritten", recording.overwritten())
      .add("damage", recording.damage())
      .add("processes", processes);
  return line.text();
}

void print_functions(Output &output, const Recording &recording, NameStyle style) {
  Functions functions(recording, style);
  std::set<std::string> names;
  for (const auto &[process, recorded] : recording.processes())
    for (const MapView &map : recorded.maps)
      for (uint32_t i = 0; i < map.offsets.size(); i++)
        names.insert(functions.name(process, map.first_id + i));
  for (const std::string &name : names)
    output.line(name);
}

} // namespace

Result<int> info_verb(const Arguments &arguments) {
  std::string path = "nophook.data";
  bool json = false, prints_functions = false;
  NamesOption names;
  const VerbOptions verb = {
      "nophook info",
      "Shows what a recording is of: command, machine, time, processes, and what is missing.",
      {{"PATH", &path, "the recording (nophook.data)"},
       {"--functions",
        &prints_functions,
        "list the functions that could have been recorded, instead",
        {.excludes = "--json"}},
       {"--names",
        &names.said,
        "how names are shown: short (the default on a terminal), full, or linked",
        {.type = "STYLE", .allowed = "short full linked", .needs = "--functions"}},
       {"--json", &json, "one JSON object"}}};
  auto go_on = parse(verb, arguments);
  NOPHOOK_TRY(go_on);
  if (!*go_on)
    return kExitOk;
  auto recording = open_recording(path);
  NOPHOOK_TRY(recording);
  Output output;
  if (prints_functions)
    print_functions(output, *recording, names.style(Terminal::of_stdout().is_terminal));
  else if (json)
    output.line("{}", json_text(Description(*recording)));
  else
    print_text(output, Description(*recording));
  NOPHOOK_TRY(output.flush());
  if (std::string damage = recording->damage(); !damage.empty())
    return error_at(recording->path(), damage);
  return kExitOk;
}

} // namespace nophook
