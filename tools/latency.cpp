// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nophook latency: the longest time between two points of a thread, and what happened in it.
//
// A summary comes first: a slow call of a server has a million events, and the question is which of
// them took the time. --trace prints the events. The recording is read twice: to find the interval,
// and for what is in it.

#include "analyse/tracing_cost.h"
#include "base/file.h"
#include "base/options.h"
#include "base/output.h"
#include "base/terminal.h"
#include "print/closing_notes.h"
#include "print/colours.h"
#include "print/events_json.h"
#include "print/latency_text.h"
#include "print/marks.h"
#include "print/trace_text.h"
#include "recording/open.h"
#include "symbols/functions.h"
#include "verbs.h"

#include <fnmatch.h>

namespace nophook {

namespace {

struct Options {
  std::string from, to;
  std::string path = "nophook.data";
  bool trace = false;
  bool all_threads = false;
  uint64_t top = 10;
  uint32_t depth = 0; // 0: all
  bool json = false;
  NamesOption names;
  TimeUnitOption unit;
  bool no_pager = false;
};

// FUNCTION, FUNCTION%return, or mark:TEXT; names and text may be globs.
class Point {
public:
  explicit Point(std::string text) : glob_(std::move(text)) {
    constexpr std::string_view kMark = "mark:", kReturn = "%return";
    is_mark_ = glob_.starts_with(kMark);
    is_return_ = glob_.ends_with(kReturn);
    if (is_mark_)
      glob_.erase(0, kMark.size());
    if (is_return_)
      glob_.erase(glob_.size() - kReturn.size());
  }

  bool is_mark() const { return is_mark_; }
  bool is_return() const { return is_return_; }

  bool names(Functions &functions, uint32_t process, uint32_t id) const {
    return functions.matches(functions.key(process, id), glob_);
  }

  // `returns`: of a leaf, which is both, its end is meant.
  bool is_at(const Step &step, Functions &functions, uint32_t process, bool returns) const {
    if (step.kind == Step::kMark)
      return is_mark_ && matches(read_mark(step.arguments).text);
    if (step.kind == Step::kLost || is_mark_ || (step.kind == Step::kClose && !step.has_start))
      return false;
    bool is_end = step.kind == Step::kClose || (step.kind == Step::kLeaf && returns);
    return is_end == is_return_ && names(functions, process, step.id);
  }

private:
  bool matches(const std::string &text) const {
    return fnmatch(glob_.c_str(), text.c_str(), 0) == 0;
  }
  std::string glob_;
  bool is_mark_ = false;
  bool is_return_ = false;
};

class Finder {
public:
  // `to`: null: each call of `from` to its own return.
  Finder(const Point &from, const Point *to, Functions &functions, const TscClock &clock)
      : from_(from), to_(to), functions_(functions), clock_(clock) {}

  void read(Recording &recording, uint32_t stream) {
    Thread thread(recording, stream);
    stream_ = stream;
    is_open_ = false;
    cost_.begin_thread();
    Step step;
    while (thread.timeline().next(&step)) {
      cost_.step(step);
      if (to_)
        look_for_points(step, thread);
      else
        look_for_calls(step, thread);
    }
    skipped_ += thread.timeline().skipped();
  }

  LatencySummary &found() { return found_; }
  uint64_t skipped() const { return skipped_; }
  const TracingCost &cost() const { return cost_; }

private:
  void look_for_calls(const Step &step, const Thread &thread) {
    bool has_ended = step.kind == Step::kLeaf || (step.kind == Step::kClose && step.has_start);
    if (!has_ended || !from_.names(functions_, thread.process(), step.id))
      return;
    if (step.kind == Step::kLeaf)
      add(step.tsc, step.tsc + step.ticks);
    else
      add(step.tsc - step.ticks, step.tsc);
  }

  // A leaf is two points, its entry and its return.
  void look_for_points(const Step &step, const Thread &thread) {
    if (step.kind == Step::kLost)
      is_open_ = false; // what is missing may be the end
    look_at(step.tsc, from_.is_at(step, functions_, thread.process(), false),
            to_->is_at(step, functions_, thread.process(), false));
    if (step.kind == Step::kLeaf)
      look_at(step.tsc + step.ticks, from_.is_at(step, functions_, thread.process(), true),
              to_->is_at(step, functions_, thread.process(), true));
  }

  void look_at(uint64_t tsc, bool begins, bool ends) {
    if (is_open_ && ends) {
      add(start_, tsc);
      is_open_ = false;
    } else if (!is_open_ && begins) {
      start_ = tsc;
      is_open_ = true;
    }
  }

  void add(uint64_t from, uint64_t to) {
    const uint64_t ns = clock_.duration(to - from);
    found_.ticks += to - from;
    found_.durations.add(ns);
    found_.rows.add(ns);
    if (found_.durations.count() == 1 || to - from > found_.longest.ticks())
      found_.longest = {from, to, stream_};
  }

  const Point &from_;
  const Point *to_;
  Functions &functions_;
  const TscClock &clock_;
  LatencySummary found_;
  TracingCost cost_;
  uint64_t skipped_ = 0;
  uint32_t stream_ = 0;
  bool is_open_ = false;
  uint64_t start_ = 0;
};

// The events of the longest time.
void print_trace(Output &output, Recording &recording, Functions &functions,
                 const Interval &longest, const Options &options) {
  TraceText text(output, functions, recording);
  Merge merge(recording);
  Thread *thread;
  Step step;
  std::optional<uint32_t> base; // depth of what is in it
  while (!output.closed() && merge.next(&thread, &step) && step.tsc <= longest.to) {
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

// False: only help was wanted.
Result<bool> read_options(const Arguments &arguments, Options *options) {
  std::vector<std::string> given;
  const VerbOptions verb = {
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
       {"--depth", &options->depth, "only N levels of the path, or of the trace", {.type = "N"}},
       {"--trace", &options->trace, "show the events in the longest time, not the summary"},
       {"--all-threads", &options->all_threads,
        "with --trace, also show the events of other threads in that time"},
       options->names.row(),
       options->unit.row(),
       {"--no-pager", &options->no_pager, "on a terminal, print without a pager"},
       {"--json", &options->json, "one JSON object a line"}}};
  auto go_on = parse(verb, arguments, &given);
  NOPHOOK_TRY(go_on);
  if (!*go_on)
    return false;
  auto is_given = [&](const char *option) { return std::ranges::count(given, option) > 0; };
  NOPHOOK_TRY(options->unit.check("latency", options->json));
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
  const Point from(options.from), to(options.to);
  auto recording = open_recording(options.path);
  NOPHOOK_TRY(recording);
  const TscClock &clock = recording->clock();
  const Terminal terminal = Terminal::of_stdout();
  Functions functions(*recording, options.names.style(terminal.is_terminal && !options.json));
  Finder finder(from, options.to.empty() ? nullptr : &to, functions, clock);
  for (const auto &[index, stream] : recording->streams())
    finder.read(*recording, index);
  LatencySummary &found = finder.found();
  if (!found.durations.count())
    return error_at(options.path,
                    fmt::format("no time from {} to {} was recorded", printable(options.from),
                                options.to.empty() ? "its return" : printable(options.to)));
  Thread owner(*recording, found.longest.stream);
  Step first;
  owner.timeline().next(&first); // which has its name
  found.comm = owner.comm(), found.pid = owner.pid(), found.tid = owner.tid();
  found.tracing_ns = finder.cost().call_ns(clock);
  const IntervalSummary calls = summarize(*recording, functions, found.longest);
  {
    Pager pager(terminal, !options.no_pager);
    Output output;
    if (!options.json)
      show_on(output, terminal);
    if (options.json)
      output.line("{}", latency_json(found, calls, functions, clock, options.top, options.depth));
    else
      print_latency_head(output, found, clock, options.unit.unit());
    if (options.trace)
      print_trace(output, *recording, functions, found.longest, options);
    else if (!options.json)
      print_latency_summary(output, found, calls, functions, clock, options.top, options.depth,
                            options.unit.unit());
    NOPHOOK_TRY(output.flush());
  }
  NOPHOOK_TRY(tell_closing_notes(*recording, functions, finder.skipped()));
  return kExitOk;
}

} // namespace nophook
