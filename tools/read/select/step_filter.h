// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chooses among the steps of threads, as if only what is asked for had been recorded.
//
// That is one rule for all outputs: a call that is not chosen has no line, no hit and no time of
// its own; what it took counts to the call around it. So the self times of what is shown add up
// to the total of its outermost calls, and depths count from these.
//
// Whether a call is chosen is decided at its start, except for `--min-duration`: its calls
// have a line at their end only, as with the kernel's tracing_thresh. What a call returns is known
// only behind the calls in it. So with a condition on results the threads are read once before.

#pragma once

#include "read/select/selection.h"
#include "read/steps/merge.h"
#include "read/symbols/functions.h"

#include <memory>
#include <unordered_map>

namespace nophook {

class StepFilter {
public:
  // `sums`: not lines are wanted, but sums, where of calls that are partly within the window of
  // time the part counts.
  StepFilter(const Selection &selection, Recording &recording, Functions &functions, bool sums);

  // Whether anything of a thread may be chosen.
  bool wants(const Thread &thread) const;

  struct Verdict {
    bool line = true;     // it is shown as a line
    bool selected = true; // of a call: may count; the same at its start and at its end
    bool counts = true;   // at the end of a call: its time does
    bool hit = true;      // the call counts here: at its start, if that has a line, else at its end
    bool is_whole = true; // at the end of a call: its start is within the time, too
  };
  // The verdict where there is no filter.
  static Verdict verdict_on_all(const Step &step) {
    return {.hit = step.begins() && step.kind != Step::kOuterCall};
  }

  // All steps of a thread must pass here, in their order. Changes depths and times.
  Verdict pass(const Thread &thread, Step *step) {
    const Verdict verdict = judge(thread, step);
    const bool has_sum = sums_ && verdict.counts && step->ticks > 0; // of a call partly in the time
    any_ |= step->is_mark() ? verdict.line
                            : step->kind != Step::kLost && (verdict.line || verdict.hit || has_sum);
    return verdict;
  }

  // Whether anything was chosen, of what has passed.
  bool any() const { return any_; }

  // Whether no later step has a line.
  bool is_over(const Step &step) const { return step.tsc > to_tsc_; }

  // Globs that meant no function that was called.
  std::vector<std::string> unused_globs() const;

  // What has been counted for each condition of the selection.
  struct Seen {
    uint64_t calls = 0, with_values = 0, held = 0;
    uint64_t unknown = 0; // calls with values, of which the one that is compared is not there

    void add(CallCondition::Verdict verdict, bool has_values);
    void add(const Seen &other);
  };
  const std::vector<Seen> &seen() const { return seen_; }

  // For several workers, each of which reads whole threads: each has a fork, and the forks are
  // joined behind the end, for unused_globs() and seen(). The functions are locked while a fork
  // uses them (Functions::mutex()).
  StepFilter fork() const;
  void join(const StepFilter &fork);

private:
  struct Open {          // a call
    bool inside = false; // of a chosen function or one that it calls
    bool met = false;    // the same of a call that meets the conditions
    bool hidden = false; // the same of a `notrace` one
    bool selected = false;
    bool line = false;
    uint32_t root = 0; // depth of the outermost chosen call around it
    uint64_t children_ticks = 0;
  };
  struct Glob {
    std::string text;
    bool used = false;
  };
  struct Meaning {
    bool known = false, chosen = false, hidden = false, has_result_condition = false;
    std::vector<uint32_t> conditions = {}; // about it: their numbers
    const Prototype *prototype = nullptr;  // if there are some
  };
  // Whether the conditions on results hold, for the calls of a thread that have a start, in
  // its order.
  using Results = std::unordered_map<uint32_t, std::vector<bool>>; // by stream

  Verdict judge(const Thread &thread, Step *step);
  Open begin(const Step &step, const std::vector<Open> &calls, const Thread &thread);
  Verdict end(Open call, std::vector<Open> *calls, Step *step);
  const Meaning &meaning(const Thread &thread, uint32_t id);
  bool meets(const Meaning &means, const Thread &thread, const Step &step);
  bool results_hold(const Meaning &means, const Step &step, std::vector<Seen> *seen) const;
  Results read_results(Recording &recording);
  void read_results(Thread &thread, std::vector<bool> *met);
  bool in_time(uint64_t tsc) const { return tsc >= from_tsc_ && tsc <= to_tsc_; }
  std::vector<Open> &calls_of(const Thread &thread, uint32_t stack);

  const Selection &selection_;
  Functions &functions_;
  std::vector<Glob> chosen_, hidden_;
  uint64_t from_tsc_ = 0, to_tsc_ = ~uint64_t{0};
  uint64_t min_ticks_ = 0;
  bool sums_;
  std::unordered_map<uint64_t, std::vector<Open>> calls_;              // by stream and stack
  std::pair<uint64_t, std::vector<Open> *> last_calls_ = {0, nullptr}; // found there
  std::unordered_map<uint32_t, std::vector<Meaning>> meanings_;        // by process, then by id
  bool any_ = false;
  std::vector<Seen> seen_;
  std::shared_ptr<const Results> results_;              // null: no condition is on results
  std::unordered_map<uint32_t, uint64_t> results_used_; // by stream: calls that have begun
};

} // namespace nophook
