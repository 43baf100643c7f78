// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nophook latency: the longest time between two points of a thread, and its trace.
//
// The recording is read twice: to find the interval, and to print its events.

#include "base/file.h"
#include "base/json.h"
#include "base/options.h"
#include "base/output.h"
#include "base/terminal.h"
#include "print/closing_notes.h"
#include "print/duration.h"
#include "print/events_json.h"
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
  bool all_threads = false;
  bool json = false;
  NamesOption names;
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

struct Interval {
  uint64_t from = 0, to = 0; // ticks
  uint32_t stream = 0;
  uint64_t ticks() const { return to - from; }
};

struct Found {
  uint64_t intervals = 0;
  uint64_t ticks = 0; // of all
  Interval longest;
  uint64_t skipped = 0;
};

class Finder {
public:
  // `to`: null: each call of `from` to its own return.
  Finder(const Point &from, const Point *to, Functions &functions)
      : from_(from), to_(to), functions_(functions) {}

  void read(Recording &recording, uint32_t stream, Found *found) {
    Thread thread(recording, stream);
    found_ = found;
    stream_ = stream;
    is_open_ = false;
    Step step;
    while (thread.timeline().next(&step))
      if (to_)
        look_for_points(step, thread);
      else
        look_for_calls(step, thread);
    found->skipped += thread.timeline().skipped();
  }

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
    found_->intervals++;
    found_->ticks += to - from;
    if (found_->intervals == 1 || to - from > found_->longest.ticks())
      found_->longest = {from, to, stream_};
  }

  const Point &from_;
  const Point *to_;
  Functions &functions_;
  Found *found_ = nullptr;
  uint32_t stream_ = 0;
  bool is_open_ = false;
  uint64_t start_ = 0;
};

// The whole of the longest interval; `end` of a leaf counts, too.
bool is_in(const Step &step, const Interval &interval) {
  return step.tsc >= interval.from && step.tsc <= interval.to;
}

} // namespace

Result<int> latency_verb(const Arguments &arguments) {
  Options options;
  const VerbOptions verb = {
      "nophook latency",
      "Finds the longest time between two points of a thread, and shows the events in it. A "
      "point is FUNCTION, FUNCTION%return, or mark:TEXT; globs are allowed.",
      {{"FROM", &options.from, "the point at which the time begins", {.required = true}},
       {"PATH", &options.path, "the recording (nophook.data)"},
       {"--to", &options.to, "the point at which the time ends (FROM%return)", {.type = "POINT"}},
       {"--all-threads", &options.all_threads,
        "also show the events of other threads in that time"},
       options.names.row(),
       {"--no-pager", &options.no_pager, "on a terminal, print without a pager"},
       {"--json", &options.json, "one JSON object a line"}}};
  auto go_on = parse(verb, arguments);
  NOPHOOK_TRY(go_on);
  if (!*go_on)
    return kExitOk;
  Point from(options.from);
  if (options.to.empty() && (from.is_mark() || from.is_return()))
    return Error{
        "latency", "",
        fmt::format("{}: name the point where the time ends (--to)", printable(options.from)),
        kExitUsage};
  Point to(options.to);
  auto recording = open_recording(options.path);
  NOPHOOK_TRY(recording);
  const Terminal terminal = Terminal::of_stdout();
  Functions functions(*recording, options.names.style(terminal.is_terminal && !options.json));
  Found found;
  Finder finder(from, options.to.empty() ? nullptr : &to, functions);
  for (const auto &[index, stream] : recording->streams())
    finder.read(*recording, index, &found);
  if (!found.intervals)
    return error_at(options.path,
                    fmt::format("no time from {} to {} was recorded", printable(options.from),
                                options.to.empty() ? "its return" : printable(options.to)));
  const TscClock &clock = recording->clock();
  const Interval &longest = found.longest;
  std::optional<Pager> pager(std::in_place, terminal, !options.no_pager);
  Output output;
  output.fit(options.json ? 0 : terminal.columns);
  uint64_t us = clock.at(longest.from) / 1000;
  Thread owner(*recording, longest.stream);
  Step first;
  owner.timeline().next(&first); // which has its name
  if (options.json)
    output.line("{}", Json({{"longest_ns", clock.duration(longest.ticks())},
                            {"from_ns", clock.at(longest.from)},
                            {"to_ns", clock.at(longest.to)},
                            {"pid", owner.pid()},
                            {"tid", owner.tid()},
                            {"intervals", found.intervals},
                            {"average_ns", clock.duration(found.ticks) / found.intervals}})
                          .text());
  else
    output.line("# latency: {}, {}-{} at {}.{:06}, the longest of {} (average {})",
                short_duration(clock.duration(longest.ticks())), owner.comm(), owner.tid(),
                us / 1000000, us % 1000000, found.intervals,
                short_duration(clock.duration(found.ticks) / found.intervals));
  TraceText text(output, functions, *recording);
  Merge merge(*recording);
  Thread *thread;
  Step step;
  while (!output.closed() && merge.next(&thread, &step)) {
    if (step.tsc > longest.to)
      break;
    if (!is_in(step, longest) || (!options.all_threads && thread->stream() != longest.stream))
      continue;
    if (options.json)
      print_event_json(output, functions, *recording, *thread, step);
    else
      text.step(*thread, step);
  }
  NOPHOOK_TRY(output.flush());
  pager.reset();
  auto whole = tell_closing_notes(*recording, functions, found.skipped);
  NOPHOOK_TRY(whole);
  return kExitOk;
}

} // namespace nophook
