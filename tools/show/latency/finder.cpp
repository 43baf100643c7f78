// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads a thread's steps, and pairs a start with the next end.

#include "show/latency/finder.h"

#include "read/steps/call_values.h"

#include <map>

namespace nophook {

Finder::Finder(const Point &from, const Point *to, Functions &functions, const TscClock &clock,
               const StepFilter *filter, size_t longest_ones)
    : from_(from, functions), clock_(clock), found_(longest_ones) {
  if (to)
    to_.emplace(*to, functions);
  if (filter)
    filter_.emplace(filter->fork());
}

void Finder::read(Thread &thread) {
  stream_ = thread.stream();
  is_open_ = false;
  found_.cost.begin_thread();
  Step step;
  while (thread.timeline().next(&step)) {
    found_.cost.step(step);
    const auto verdict = filter_ ? filter_->pass(thread, &step) : StepFilter::verdict_on_all(step);
    if (!verdict.line && step.kind != Step::kLost)
      continue;
    if (to_)
      look_for_points(step, thread.process());
    else if (verdict.is_whole) // it begins in the time that is chosen, too
      look_for_calls(step, thread.process());
  }
}

void Finder::look_for_calls(const Step &step, uint32_t process) {
  if (step.has_duration() && from_.names(process, step.id))
    found_.add({step.from(), step.to(), stream_}, clock_);
}

// A leaf is two points, its entry and its return.
void Finder::look_for_points(const Step &step, uint32_t process) {
  if (step.kind == Step::kLost)
    is_open_ = false; // the missing events may have had the end
  look_at(step.tsc, from_.is_at(step, process, false), to_->is_at(step, process, false));
  if (step.is_leaf())
    look_at(step.to(), from_.is_at(step, process, true), to_->is_at(step, process, true));
}

void Finder::look_at(uint64_t tsc, bool begins, bool ends) {
  if (is_open_ && ends) {
    found_.add({start_, tsc, stream_}, clock_);
    is_open_ = false;
  } else if (!is_open_ && begins) {
    start_ = tsc;
    is_open_ = true;
  }
}

std::vector<LatencyCase> cases_of(const Recording &recording, Functions &functions,
                                  const std::vector<Interval> &intervals, const Point *calls_of) {
  std::vector<LatencyCase> cases;
  // Indexes by start, for each stream.
  std::map<uint32_t, std::unordered_map<uint64_t, size_t>> by_begin;
  for (const Interval &interval : intervals) {
    by_begin[interval.stream][interval.from] = cases.size();
    cases.push_back({interval, "", 0, 0, ""});
  }
  for (const auto &[stream, wanted] : by_begin) {
    Recording::Damages reported_before;
    Thread thread(recording, stream, &reported_before);
    Step step;
    bool goes_on = thread.timeline().next(&step); // the thread's name is known afterwards
    for (const auto &[begin, i] : wanted)
      cases[i].comm = thread.comm(), cases[i].pid = thread.pid(), cases[i].tid = thread.tid();
    if (!calls_of)
      continue;
    KnownPoint point(*calls_of, functions);
    for (size_t left = wanted.size(); goes_on && left; goes_on = thread.timeline().next(&step)) {
      if (step.shape != Step::kBegin && step.shape != Step::kInterval)
        continue;
      const auto at = wanted.find(step.from());
      if (at == wanted.end() || !point.names(thread.process(), step.id))
        continue;
      const Prototype *prototype = functions.prototype(thread.process(), step.id);
      cases[at->second].call =
          fmt::format("{}({})", functions.name(thread.process(), step.id),
                      argument_list(argument_values(prototype, step.arguments)));
      left--;
    }
  }
  return cases;
}

} // namespace nophook
