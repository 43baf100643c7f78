// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "read/select/step_filter.h"

#include "read/steps/each_thread.h"

#include <algorithm>
#include <cmath>
#include <ranges>

namespace nophook {

namespace {

uint64_t first_event(const Recording &recording) {
  uint64_t first = ~uint64_t{0};
  Recording::Damages reported_later;
  for (const auto &[stream, recorded] : recording.streams()) {
    Thread thread(recording, stream, &reported_later);
    Step step;
    if (thread.timeline().next(&step))
      first = std::min(first, step.tsc);
  }
  return first;
}

bool any_of(const std::vector<int32_t> &wanted, int32_t number) {
  return wanted.empty() || std::ranges::find(wanted, number) != wanted.end();
}

} // namespace

StepFilter::StepFilter(Selection chosen, Recording &recording, Functions &functions, bool sums)
    : selection_(std::make_shared<const Selection>(std::move(chosen))), functions_(functions),
      chosen_(globs_of(selection().functions)), left_out_(globs_of(selection().notraces)),
      hidden_(globs_of(selection().hides)), places_(globs_of(selection().places)), sums_(sums),
      seen_(selection().conditions.size()) {
  const Selection &selection = *selection_;
  const TscClock &clock = recording.clock();
  measure_ = selection.off_cpu      ? Measure::kOffCpu
             : selection.sleep_time ? Measure::kTime
                                    : Measure::kOnCpu;
  min_ticks_ = (uint64_t)std::ceil((double)selection.min_duration_ns / clock.ns_per_tick);
  int64_t first_ns = 0;
  if (selection.from.is_relative || selection.to.is_relative)
    first_ns = (int64_t)clock.at(first_event(recording));
  auto ns_of = [&](const Instant &at) { return *at.ns + (at.is_relative ? first_ns : 0); };
  if (selection.from.ns)
    from_tsc_ = clock.tick_of(ns_of(selection.from));
  if (selection.to.ns) // the whole of that microsecond, which a trace shows
    to_tsc_ = clock.tick_of(ns_of(selection.to) + 1000) - 1;
  if (std::ranges::any_of(selection.conditions, &CallCondition::of_result))
    results_ = std::make_shared<const Results>(read_results(recording));
}

std::vector<StepFilter::Glob> StepFilter::globs_of(const std::vector<std::string> &texts) {
  std::vector<Glob> globs;
  for (const std::string &text : texts)
    globs.push_back({text});
  return globs;
}

void StepFilter::Seen::add(CallCondition::Verdict verdict, bool has_values) {
  calls++;
  with_values += has_values;
  held += verdict == CallCondition::kHolds;
  unknown += has_values && verdict == CallCondition::kUnknown;
}

void StepFilter::Seen::add(const Seen &other) {
  calls += other.calls;
  with_values += other.with_values;
  held += other.held;
  unknown += other.unknown;
}

StepFilter StepFilter::fork() const {
  StepFilter fork = *this;
  fork.any_ = false;
  fork.calls_.clear();
  fork.last_calls_ = {0, nullptr};
  fork.results_used_.clear();
  fork.seen_.assign(seen_.size(), {}); // join() adds them up
  return fork;
}

void StepFilter::join(const StepFilter &fork) {
  for (auto list :
       {&StepFilter::chosen_, &StepFilter::left_out_, &StepFilter::hidden_, &StepFilter::places_})
    for (size_t i = 0; i < (this->*list).size(); i++)
      (this->*list)[i].used |= (fork.*list)[i].used;
  any_ |= fork.any_;
  any_off_ |= fork.any_off_;
  for (size_t i = 0; i < seen_.size(); i++)
    seen_[i].add(fork.seen_[i]);
}

bool StepFilter::wants(const Thread &thread) const {
  return any_of(selection().tids, thread.tid()) && any_of(selection().pids, thread.pid());
}

std::vector<std::string> StepFilter::unused_of(std::initializer_list<const Globs *> lists) {
  std::vector<std::string> unused;
  for (const Globs *globs : lists)
    for (const Glob &glob : *globs)
      if (!glob.used)
        unused.push_back(glob.text);
  return unused;
}

const StepFilter::Meaning &StepFilter::meaning(const Thread &thread, uint32_t id) {
  std::vector<Meaning> &meanings = meanings_[thread.process()];
  if (id >= meanings.size())
    meanings.resize(id + 1);
  Meaning &meaning = meanings[id];
  if (meaning.known)
    return meaning;
  std::lock_guard held(functions_.mutex());
  uint64_t key = functions_.key(thread.process(), id);
  auto mean = [&](std::vector<Glob> &globs) {
    bool any = false;
    for (Glob &glob : globs)
      if (functions_.matches(key, glob.text))
        any = glob.used = true;
    return any;
  };
  meaning = {true, chosen_.empty() || mean(chosen_), mean(left_out_), mean(hidden_)};
  bool is_placed = places_.empty();
  for (Glob &place : places_)
    if (functions_.is_in(key, place.text))
      is_placed = place.used = true;
  meaning.hidden |= !is_placed;
  const std::vector<CallCondition> &conditions = selection().conditions;
  for (size_t i = 0; i < conditions.size(); i++)
    if (functions_.matches(key, conditions[i].function)) {
      meaning.conditions.push_back((uint32_t)i);
      meaning.has_result_condition |= conditions[i].of_result;
    }
  if (!meaning.conditions.empty())
    meaning.prototype = functions_.prototype(thread.process(), id);
  return meaning;
}

// If there are several conditions about a function, a call has to meet all of them.
bool StepFilter::meets(const Meaning &means, const Thread &thread, const Step &step) {
  if (selection().conditions.empty())
    return true;
  bool all = !means.conditions.empty();
  for (uint32_t i : means.conditions) {
    const CallCondition &condition = selection().conditions[i];
    if (condition.of_result)
      continue;
    const bool has_values = !step.arguments.empty();
    const CallCondition::Verdict verdict =
        has_values ? condition.judge(means.prototype, step.arguments) : CallCondition::kUnknown;
    seen_[i].add(verdict, has_values);
    all &= verdict == CallCondition::kHolds;
  }
  if (!means.has_result_condition)
    return all;
  if (step.shape != Step::kBegin) // the result is known, or never will be
    return results_hold(means, step, &seen_) && all;
  const std::vector<bool> &results = results_->at(thread.stream());
  const uint64_t number = results_used_[thread.stream()]++;
  return all && number < results.size() && results[number];
}

bool StepFilter::results_hold(const Meaning &means, const Step &step,
                              std::vector<Seen> *seen) const {
  bool all = true;
  for (uint32_t i : means.conditions) {
    const CallCondition &condition = selection().conditions[i];
    if (!condition.of_result)
      continue;
    const bool has_values = !step.result.empty();
    const CallCondition::Verdict verdict =
        has_values ? condition.judge(means.prototype, step.result) : CallCondition::kUnknown;
    (*seen)[i].add(verdict, has_values);
    all &= verdict == CallCondition::kHolds;
  }
  return all;
}

StepFilter::Results StepFilter::read_results(Recording &recording) {
  Results results;
  for (const auto &[stream, recorded] : recording.streams())
    results[stream]; // workers add no threads
  std::vector<StepFilter> workers(decoding_workers(recording), fork());
  auto wanted = [&](const Thread &thread) { return wants(thread); };
  each_thread_before(recording, (unsigned)workers.size(), wanted,
                     [&](Thread &thread, unsigned worker) {
                       workers[worker].read_results(thread, &results.at(thread.stream()));
                     });
  for (const StepFilter &worker : workers)
    join(worker);
  return results;
}

// A call that has no end in the recording has no result, so it keeps `false`.
void StepFilter::read_results(Thread &thread, std::vector<bool> *met) {
  constexpr size_t kOther = ~size_t{0};                         // a call without such a condition
  std::unordered_map<uint32_t, std::vector<size_t>> open_calls; // indices in `met`, by stack
  Step step;
  while (thread.timeline().next(&step)) {
    if (step.shape != Step::kBegin && step.shape != Step::kEnd)
      continue;
    std::vector<size_t> &open = open_calls[step.stack];
    const Meaning &means = meaning(thread, step.id);
    if (step.shape == Step::kBegin) {
      open.resize(step.depth, kOther);
      open.push_back(means.has_result_condition ? met->size() : kOther);
      if (means.has_result_condition)
        met->push_back(false);
    } else if (step.depth < open.size()) {
      if (open[step.depth] != kOther)
        (*met)[open[step.depth]] = results_hold(means, step, &seen_);
      open.resize(step.depth);
    }
  }
}

std::vector<StepFilter::Open> &StepFilter::calls_of(const Thread &thread, uint32_t stack) {
  uint64_t key = (uint64_t)thread.stream() << 32 | stack;
  if (!last_calls_.second || last_calls_.first != key)
    last_calls_ = {key, &calls_[key]};
  return *last_calls_.second;
}

// The state of a call when it begins.
StepFilter::Open StepFilter::begin(const Step &step, const std::vector<Open> &calls,
                                   const Thread &thread) {
  Open call;
  if (step.depth > 0 && step.depth <= calls.size())
    call = calls[step.depth - 1];
  const bool was_chosen = call.inside && call.met;
  call.depth = was_chosen ? call.depth_inside() : 0;
  const Meaning &means = meaning(thread, step.id);
  call.inside = call.inside || means.chosen;
  call.met = call.met || meets(means, thread, step);
  call.left_out = call.left_out || means.left_out;
  call.hidden = means.hidden;
  call.selected = call.inside && call.met && !call.left_out && !call.hidden &&
                  (!selection().depth || call.depth < selection().depth);
  call.line = call.selected && !min_ticks_ && in_time(step.tsc);
  call.id = step.id;
  call.tsc = step.tsc;
  call.children_ticks = call.children_off_ticks = 0;
  if (step.is_timed()) { // its depth is its own, and its time is known
    call.depth = step.depth;
    call.line = call.selected && step.ticks >= min_ticks_ && in_time(step.tsc);
  }
  return call;
}

// The verdict on the end of a call that has begun, or on a leaf.
StepFilter::Verdict StepFilter::end(Open call, std::vector<Open> *calls, Step *step) {
  const bool is_leaf = step->is_leaf();
  const uint64_t start = step->from(), stop = step->to();
  Verdict verdict;
  verdict.selected = call.selected;
  verdict.counts = call.selected && step->ticks >= min_ticks_;
  verdict.is_whole = verdict.counts && in_time(start);
  verdict.hit = verdict.is_whole && (is_leaf || (!call.line && step->kind != Step::kOuterCall));
  verdict.line = verdict.counts && in_time(step->tsc);
  if (sums_) {
    uint64_t from = std::max(start, from_tsc_), to = std::min(stop, to_tsc_);
    step->ticks = to > from ? to - from : 0;
  }
  step->children_ticks = call.children_ticks;
  step->children_off_ticks = call.children_off_ticks;
  if (step->depth > 0 && step->depth <= calls->size()) {
    Open &caller = (*calls)[step->depth - 1];
    caller.children_ticks += verdict.counts ? step->ticks : step->children_ticks;
    caller.children_off_ticks += verdict.counts ? step->off_ticks : step->children_off_ticks;
  }
  if (!sums_ && !call.line) { // its start had no line either
    step->shape = Step::kInterval;
    if (step->kind == Step::kCall)
      step->kind = Step::kTimedCall;
    step->tsc = stop;
    verdict.line = verdict.counts && in_time(stop);
  }
  step->depth = call.depth;
  return verdict;
}

std::vector<Step> StepFilter::cut_calls(const Thread &thread) const {
  std::vector<Step> ends;
  const uint64_t end_tsc = std::max(to_tsc_, until_);
  for (const auto &[key, calls] : calls_) {
    if (key >> 32 != thread.stream())
      continue;
    for (const Open &call : calls | std::views::reverse) {
      if (!call.line)
        continue;
      Step &step = ends.emplace_back();
      step.shape = Step::kEnd;
      step.end = Step::kStillOpen;
      step.id = call.id;
      step.stack = (uint32_t)key;
      step.depth = call.depth;
      step.tsc = end_tsc;
      step.ticks = end_tsc - call.tsc;
      step.children_ticks = call.children_ticks;
    }
  }
  return ends;
}

StepFilter::Verdict StepFilter::judge(const Thread &thread, Step *step) {
  Verdict verdict;
  if (step->kind == Step::kLost) {
    verdict.line = in_time(step->tsc);
    return verdict;
  }
  std::vector<Open> &calls = calls_of(thread, step->stack);
  if (step->is_mark()) {
    const Open *around =
        step->depth > 0 && step->depth <= calls.size() ? &calls[step->depth - 1] : nullptr;
    verdict.line =
        in_time(step->tsc) && (around ? around->inside && around->met && !around->left_out
                                      : chosen_.empty() && selection().conditions.empty());
    if (around)
      step->depth = around->depth_inside();
    return verdict;
  }
  if (step->shape == Step::kEnd && step->depth < calls.size()) {
    Open call = calls[step->depth];
    calls.resize(step->depth);
    return end(call, &calls, step);
  }
  Open call = begin(*step, calls, thread);
  if (step->is_leaf())
    return end(call, &calls, step);
  if (step->shape == Step::kBegin) {
    calls.resize(step->depth);
    calls.push_back(call);
  }
  step->depth = call.depth;
  verdict.selected = call.selected;
  verdict.line = verdict.counts = verdict.is_whole = call.line;
  verdict.hit = call.line && step->is_hit();
  return verdict;
}

} // namespace nophook
