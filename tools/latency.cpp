// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nophook latency: the longest time between two points of a thread, and what happened in it.
//
// A summary comes first: a slow call of a server has a million events, and the question is which of
// them took the time. --trace prints the events, and --slowest lists the other slow calls. The
// recording is read twice: to find the intervals, its threads in parallel, and for what is in them.

#include "foundation/counted.h"
#include "foundation/file.h"
#include "foundation/options.h"
#include "foundation/output.h"
#include "foundation/terminal.h"
#include "process/drain/open_recording.h"
#include "read/select/selection_options.h"
#include "read/steps/each_thread.h"
#include "show/latency/finder.h"
#include "show/print/closing_notes.h"
#include "show/print/colours.h"
#include "show/print/events_json.h"
#include "show/print/trace_text.h"
#include "verbs.h"

namespace nophook {

namespace {

// The most lines of --trace on a terminal or in a file. A second of eight busy threads has 80,000.
constexpr uint64_t kTraceLines = 1000;
constexpr uint64_t kMostLongest = 1'000'000; // most intervals that are kept in memory

struct Options {
  std::string from, to;
  std::string path = "nophook.data";
  bool trace = false;
  bool all_threads = false;
  uint64_t top = 10;
  uint64_t head = 0;    // most lines of the trace; 0: all
  uint32_t depth = 0;   // most levels that are printed; 0: all
  uint64_t slowest = 0; // number of slow calls; 0: one, with a summary
  uint64_t number = 1;
  Selection selection;
  bool json = false;
  NamesOption names;
  TimeUnitOption unit;
  bool no_pager = false;
};

// The part of a selection that says which of the calls in an interval are shown.
Selection shown_inside(const Selection &selection) {
  Selection inside;
  inside.notraces = selection.notraces;
  inside.hides = selection.hides;
  inside.places = selection.places;
  return inside;
}

// The events of the longest interval.
void print_trace(Output &output, Recording &recording, Functions &functions,
                 const Interval &longest, const Options &options,
                 std::optional<StepFilter> filter) {
  TraceText text(output, functions, recording);
  Merge merge(recording);
  Thread *thread;
  Step step;
  std::optional<uint32_t> base; // depth of the first event that is printed
  while (!output.closed() && merge.next(&thread, &step) && step.tsc <= longest.to) {
    if (filter && !filter->pass(*thread, &step).line)
      continue;
    if (!longest.has(step) || (!options.all_threads && thread->stream() != longest.stream))
      continue;
    if (!base)
      base = step.depth;
    if (options.depth && step.depth >= *base + options.depth)
      continue;
    if (options.json)
      print_event_json(output, functions, recording, *thread, step);
    else
      text.step(*thread, step);
  }
}

// Prints the summary of an interval, or its events.
Result<> print_case(Output &output, Recording &recording, Functions &functions,
                    const LatencySummary &found, const Options &options) {
  const TscClock &clock = recording.clock();
  const Interval &interval = found.shown.interval;
  auto inside =
      make_filter("latency", shown_inside(options.selection), recording, functions, false);
  NOPHOOK_TRY(inside);
  const IntervalSummary calls = summarize(recording, functions, interval, *inside);
  if (options.json)
    output.line("{}", latency_json(found, calls, functions, clock, options.top, options.depth));
  else
    print_latency_head(output, found, clock, options.unit.unit());
  if (options.trace)
    print_trace(output, recording, functions, interval, options, std::move(*inside));
  else if (!options.json)
    print_latency_summary(output, found, calls, functions, clock, options.top, options.depth,
                          options.unit.unit());
  return {};
}

// The reason why there is no such interval.
std::string nothing_text(Functions &functions, const Options &options) {
  std::string text = fmt::format("no time from {} to {} was recorded", printable(options.from),
                                 options.to.empty() ? "its return" : printable(options.to));
  for (const std::string &typed : {options.from, options.to}) {
    const Point point(typed);
    if (const std::string note =
            point.is_mark() || typed.empty() ? "" : functions.absence(point.glob());
        !note.empty() || !(point.is_mark() || typed.empty() || functions.knows(point.glob())))
      text += fmt::format("; '{}' is no function of the recording{}{}", printable(point.glob()),
                          note.empty() ? "" : ": ", printable(note));
  }
  return text;
}

// False: only the help was requested.
Result<bool> read_options(const Arguments &arguments, Options *options) {
  std::vector<std::string> given;
  const OptionRange count(uint64_t{1}, kMostLongest);
  VerbOptions verb = {
      "nophook latency",
      "Shows how long a function's calls take, and what happened in the slowest one; or the same "
      "of the time\nbetween two points of a thread. A point is FUNCTION, FUNCTION%return, or "
      "mark:TEXT; globs are allowed.",
      {{"FROM", &options->from, "the point at which the time begins", {.required = true}},
       {"PATH", &options->path, "the recording (nophook.data)"},
       {"--to", &options->to, "the point at which the time ends (FROM%return)", {.type = "POINT"}},
       {"--top",
        &options->top,
        "show the N functions (10) with the most time of their own in it",
        {.type = "N", .range = OptionRange(uint64_t{1}, uint64_t{1} << 62)}},
       {"-D,--depth", &options->depth, "only N levels of the path, or of the trace", {.type = "N"}},
       {"--slowest",
        &options->slowest,
        "list the N longest times instead, with the arguments of the calls",
        {.type = "N", .range = count}},
       {"--number",
        &options->number,
        "show the Nth of that list, not the longest time",
        {.type = "N", .range = count}},
       {"--trace", &options->trace, "show the events in the longest time, not the summary"},
       {"--all-threads", &options->all_threads,
        "with --trace, also show the events of other threads in that time"},
       {"--head",
        &options->head,
        "with --trace, stop after N lines (1000; 0: all of them, as with --json)",
        {.type = "N"}},
       options->names.row(),
       options->unit.row(),
       {"--no-pager", &options->no_pager, "on a terminal, print without a pager"},
       {"--json", &options->json, "one JSON object a line"}}};
  add_selection_options(&verb, &options->selection, "--depth --off-cpu"); // it has its own
  auto go_on = parse(verb, arguments, &given);
  NOPHOOK_TRY(go_on);
  if (!*go_on)
    return false;
  auto is_given = [&](const char *option) { return std::ranges::count(given, option) > 0; };
  NOPHOOK_TRY(options->unit.check("latency", options->json));
  NOPHOOK_TRY(read_times("latency", &options->selection));
  for (const char *option : {"--top", "--depth", "--number", "--trace", "--all-threads"})
    if (options->slowest && is_given(option))
      return Error{"latency", option, "is about one time: leave out --slowest", kExitUsage};
  if (is_given("--min-duration") && !options->to.empty())
    return Error{"latency", "--min-duration", "is for calls: leave out --to", kExitUsage};
  if (is_given("--head") && !options->trace)
    return Error{"latency", "--head", "is for the events: add --trace", kExitUsage};
  if (!is_given("--head") && options->trace && !options->json)
    options->head = kTraceLines;
  if (options->all_threads && !options->trace)
    return Error{"latency", "--all-threads", "is for the events: add --trace", kExitUsage};
  if (options->all_threads && options->depth)
    return Error{"latency", "--depth", "is of the thread itself: leave out --all-threads",
                 kExitUsage};
  if (options->trace && is_given("--top"))
    return Error{"latency", "--top", "is for the summary: leave out --trace", kExitUsage};
  Point from(options->from);
  if (options->to.empty() && (from.is_mark() || from.is_return()))
    return Error{
        "latency", "",
        fmt::format("{}: name the point where the time ends (--to)", printable(options->from)),
        kExitUsage};
  return true;
}

} // namespace

Result<int> latency_verb(const Arguments &arguments) {
  Options options;
  auto go_on = read_options(arguments, &options);
  NOPHOOK_TRY(go_on);
  if (!*go_on)
    return kExitOk;
  swap_if_reversed(&options.from, &options.path);
  const Point from(options.from), to(options.to);
  auto recording = open_recording(options.path);
  NOPHOOK_TRY(recording);
  const TscClock &clock = recording->clock();
  const Terminal terminal = Terminal::of_stdout();
  Functions functions(*recording, options.names.style(terminal.is_terminal && !options.json));
  auto chosen = make_filter("latency", options.selection, *recording, functions, false);
  NOPHOOK_TRY(chosen);
  std::optional<StepFilter> &filter = *chosen;

  std::vector<Finder> finders;
  const size_t longest_ones = std::max(options.slowest, options.number);
  while (finders.size() < decoding_workers(*recording))
    finders.emplace_back(from, options.to.empty() ? nullptr : &to, functions, clock,
                         filter ? &*filter : nullptr, longest_ones);
  const Skipped skipped = each_thread(
      *recording, (unsigned)finders.size(),
      [&](const Thread &thread) { return !filter || filter->wants(thread); },
      [&](Thread &thread, unsigned worker) { finders[worker].read(thread); });
  FoundTimes found(longest_ones);
  for (const Finder &finder : finders) {
    found.merge(finder.found());
    if (filter)
      filter->join(*finder.filter());
  }

  std::vector<Interval> longest = found.longest.sorted();
  const uint64_t count = found.durations.count();
  if (!count) {
    const auto notes = filter ? unmatched_notes(functions, *filter) : std::vector<std::string>();
    return error_at(options.path, notes.empty() ? nothing_text(functions, options) : notes.front());
  }
  if (options.number > count)
    return error_at(options.path, fmt::format("there is no number {}: {} recorded", options.number,
                                              counted(count, "such time")));
  const bool is_list = options.slowest > 0;
  if (!is_list)
    longest = {longest[options.number - 1]};
  const std::vector<LatencyCase> cases =
      cases_of(*recording, functions, longest, is_list && options.to.empty() ? &from : nullptr);
  {
    Pager pager(terminal, !options.no_pager);
    Output output;
    output.limit(options.head);
    if (!options.json)
      show_on(output, terminal);
    if (is_list)
      print_longest(output, cases, clock, options.unit.unit(), options.json);
    else
      NOPHOOK_TRY(print_case(output, *recording, functions,
                             {cases.front(), options.number, found.ticks,
                              std::move(found.durations), found.rows, found.cost.call_ns(clock)},
                             options));
    NOPHOOK_TRY(output.flush());
    if (output.is_cut())
      fmt::print(stderr,
                 "nophook: these are the first {} lines: --head 0 shows all of them, and "
                 "leaving out --all-threads those of the thread itself\n",
                 options.head);
  }
  NOPHOOK_TRY(print_closing_notes(*recording, functions, skipped));
  if (filter)
    NOPHOOK_TRY(print_unmatched(options.path, functions, *filter));
  return kExitOk;
}

} // namespace nophook
