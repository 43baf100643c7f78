// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "read/select/step_filter.h"

#include "read/steps/each_thread.h"

#include <algorithm>
#include <cmath>

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

StepFilter::StepFilter(const Selection &selection, Recording &recording, Functions &functions,
                       bool sums)
    : selection_(selection), functions_(functions), sums_(sums),
      seen_(selection.conditions.size()) {
  for (const std::string &glob : selection.functions)
    chosen_.push_back({glob});
  for (const std::string &glob : selection.notraces)
    hidden_.push_back({glob});
  const TscClock &clock = recording.clock();
  min_ticks_ = (uint64_t)std::ceil((double)selection.min_duration_ns / clock.ns_per_tick);
  int64_t first_ns = 0;
  if (selection.from_is_relative || selection.to_is_relative)
    first_ns = (int64_t)clock.at(first_event(recording));
  if (selection.from_ns)
    from_tsc_ = clock.tick_of(*selection.from_ns + (selection.from_is_relative ? first_ns : 0));
  if (selection.to_ns) // the whole of that microsecond, which a trace shows
    to_tsc_ =
        clock.tick_of(*selection.to_ns + 1000 + (selection.to_is_relative ? first_ns : 0)) - 1;
  if (std::ranges::any_of(selection.conditions, &CallCondition::of_result))
    results_ = std::make_shared<const Results>(read_results(recording));
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
  for (size_t i = 0; i < chosen_.size(); i++)
    chosen_[i].used |= fork.chosen_[i].used;
  for (size_t i = 0; i < hidden_.size(); i++)
    hidden_[i].used |= fork.hidden_[i].used;
  any_ |= fork.any_;
  for (size_t i = 0; i < seen_.size(); i++)
    seen_[i].add(fork.seen_[i]);
}

bool StepFilter::wants(const Thread &thread) const {
  return any_of(selection_.tids, thread.tid()) && any_of(selection_.pids, thread.pid());
}

std::vector<std::string> StepFilter::unused_globs() const {
  std::vector<std::string> unused;
  for (const auto *globs : {&chosen_, &hidden_})
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
  meaning = {true, chosen_.empty() || mean(chosen_), mean(hidden_)};
  for (size_t i = 0; i < selection_.conditions.size(); i++)
    if (functions_.matches(key, selection_.conditions[i].function)) {
      meaning.conditions.push_back((uint32_t)i);
      meaning.has_result_condition |= selection_.conditions[i].of_result;
    }
  if (!meaning.conditions.empty())
    meaning.prototype = functions_.prototype(thread.process(), id);
  return meaning;
}

// If there are several conditions about a function, a call has to meet all of them.
bool StepFilter::meets(const Meaning &means, const Thread &thread, const Step &step) {
  if (selection_.conditions.empty())
    return true;
  bool all = !means.conditions.empty();
  for (uint32_t i : means.conditions) {
    const CallCondition &condition = selection_.conditions[i];
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
    const CallCondition &condition = selection_.conditions[i];
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
  else
    call.root = step.depth;
  const Meaning &means = meaning(thread, step.id);
  const bool was_chosen = call.inside && call.met;
  call.inside = call.inside || means.chosen;
  call.met = call.met || meets(means, thread, step);
  if (!was_chosen && call.inside && call.met)
    call.root = step.depth;
  call.hidden = call.hidden || means.hidden;
  call.selected = call.inside && call.met && !call.hidden &&
                  (!selection_.depth || step.depth - call.root < selection_.depth);
  call.line = call.selected && !min_ticks_ && in_time(step.tsc);
  call.children_ticks = 0;
  if (step.is_timed()) { // its depth is its own, and its time is known
    call.root = 0;
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
  if (step->depth > 0 && step->depth <= calls->size())
    (*calls)[step->depth - 1].children_ticks += verdict.counts ? step->ticks : step->children_ticks;
  if (!sums_ && !call.line) { // its start had no line either
    step->shape = Step::kInterval;
    if (step->kind == Step::kCall)
      step->kind = Step::kTimedCall;
    step->tsc = stop;
    verdict.line = verdict.counts && in_time(stop);
  }
  step->depth -= std::min(step->depth, call.root);
  return verdict;
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
    verdict.line = in_time(step->tsc) &&
                   (around ? around->inside && around->met && !around->hidden
                           : selection_.functions.empty() && selection_.conditions.empty());
    if (around)
      step->depth -= std::min(step->depth, around->root);
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
  step->depth -= std::min(step->depth, call.root);
  verdict.selected = call.selected;
  verdict.line = verdict.counts = verdict.is_whole = call.line;
  verdict.hit = call.line && step->is_hit();
  return verdict;
}

} // namespace nophook
