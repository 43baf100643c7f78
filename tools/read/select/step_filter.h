// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chooses among the steps of threads, as if only the chosen calls had been recorded.
//
// One rule holds for all outputs: a call that is not chosen has no line, no hit and no time of its
// own; its time counts to the call around it. So the self times of the calls that are shown add up
// to the total of its outermost calls, and depths count from these. Calls in a call that is hidden
// (`--hide`, `--only`) are one level higher than they were: they hang under its caller.
//
// Whether a call is chosen is decided at its start, except for `--min-duration`: its calls
// have a line at their end only, as with the kernel's tracing_thresh. The result of a call is known
// only behind the calls in it. So with a condition on results the threads are read once before.

#pragma once

#include "read/select/selection.h"
#include "read/steps/measure.h"
#include "read/steps/merge.h"
#include "read/symbols/functions.h"

#include <memory>
#include <unordered_map>

namespace nophook {

class StepFilter {
public:
  // `sums`: sums are wanted, not lines; a call that is partly within the window of time then counts
  // with that part.
  StepFilter(Selection selection, Recording &recording, Functions &functions, bool sums);

  const Selection &selection() const { return *selection_; }

  // Whether the filter may choose any step of the thread.
  bool wants(const Thread &thread) const;

  struct Verdict {
    bool line = true;     // the step is shown as a line
    bool selected = true; // the call may count; the same at its start and end
    bool counts = true;   // at the end of a call: its time counts
    bool hit = true;      // the call counts here: at its start, if that has a line, else at its end
    bool is_whole = true; // at the end of a call: its start is within the time, too
  };
  // The verdict where there is no filter.
  static Verdict verdict_on_all(const Step &step) { return {.hit = step.is_hit()}; }

  // Judges a step, and changes its depth and times. All steps of a thread must pass here, in order.
  Verdict pass(const Thread &thread, Step *step) {
    const Verdict verdict = judge(thread, step);
    const bool has_sum = sums_ && verdict.counts && step->ticks > 0; // a part of a call
    any_ |= step->is_mark() ? verdict.line
                            : step->kind != Step::kLost && (verdict.line || verdict.hit || has_sum);
    if (verdict.line)
      until_ = std::max(until_, step->to());
    if (measure_ != Measure::kTime) {
      any_off_ |= step->off_ticks > 0;
      apply(measure_, step);
    }
    return verdict;
  }

  // Whether any step that has passed was chosen.
  bool any() const { return any_; }
  // Whether time off the CPU is selected, or left out, and none was recorded in the calls.
  bool lacks_off_cpu() const { return measure_ != Measure::kTime && !any_off_; }

  // Whether no later step has a line.
  bool is_over(const Step &step) const { return step.tsc > to_tsc_; }

  // The calls of a thread whose begins had lines and that are open behind the selected time, as
  // ends behind it and behind all leaves that began in it, innermost first.
  std::vector<Step> cut_calls(const Thread &thread) const;

  // The globs that matched no called function, and the places that had none.
  std::vector<std::string> unused_globs() const {
    return unused_of({&chosen_, &left_out_, &hidden_});
  }
  std::vector<std::string> unused_places() const { return unused_of({&places_}); }

  // Numbers of calls that were counted for a condition of the selection.
  struct Seen {
    uint64_t calls = 0, with_values = 0, held = 0;
    uint64_t unknown = 0; // calls with values, but without the compared one

    void add(CallCondition::Verdict verdict, bool has_values);
    void add(const Seen &other);
  };
  const std::vector<Seen> &seen() const { return seen_; }

  // For several workers, each of which reads whole threads: each worker has a fork, and the forks
  // are joined when the threads have been read, for unused_globs() and seen(). The functions are
  // locked while a fork uses them (Functions::mutex()).
  StepFilter fork() const;
  void join(const StepFilter &fork);

private:
  struct Open {            // a call
    bool inside = false;   // in a chosen function's call, or that call itself
    bool met = false;      // the same for a call that meets the conditions
    bool left_out = false; // the same for a `notrace` function
    bool hidden = false;   // itself: the calls in it are on its level
    bool selected = false;
    bool line = false;
    uint32_t depth = 0; // number of calls around it that are shown
    uint32_t id = 0;
    uint64_t tsc = 0; // its start
    uint64_t children_ticks = 0;
    uint64_t children_off_ticks = 0;

    uint32_t depth_inside() const { return hidden ? depth : depth + 1; }
  };
  struct Glob {
    std::string text;
    bool used = false;
  };
  using Globs = std::vector<Glob>;
  struct Meaning {
    bool known = false, chosen = false, left_out = false, hidden = false;
    bool has_result_condition = false;
    std::vector<uint32_t> conditions = {}; // numbers of the conditions on it
    const Prototype *prototype = nullptr;  // null: there are no conditions
  };
  // Whether the conditions on results hold, for each call of a thread whose function has such a
  // condition, in the order of their starts.
  using Results = std::unordered_map<uint32_t, std::vector<bool>>; // by stream

  Verdict judge(const Thread &thread, Step *step);
  Open begin(const Step &step, const std::vector<Open> &calls, const Thread &thread);
  Verdict end(Open call, std::vector<Open> *calls, Step *step);
  const Meaning &meaning(const Thread &thread, uint32_t id);
  bool meets(const Meaning &means, const Thread &thread, const Step &step);
  bool results_hold(const Meaning &means, const Step &step, std::vector<Seen> *seen) const;
  Results read_results(Recording &recording);
  void read_results(Thread &thread, std::vector<bool> *met);
  static Globs globs_of(const std::vector<std::string> &texts);
  static std::vector<std::string> unused_of(std::initializer_list<const Globs *> lists);
  bool in_time(uint64_t tsc) const { return tsc >= from_tsc_ && tsc <= to_tsc_; }
  std::vector<Open> &calls_of(const Thread &thread, uint32_t stack);

  std::shared_ptr<const Selection> selection_;
  Functions &functions_;
  Globs chosen_, left_out_, hidden_, places_;
  uint64_t from_tsc_ = 0, to_tsc_ = ~uint64_t{0};
  uint64_t min_ticks_ = 0;
  bool sums_;
  std::unordered_map<uint64_t, std::vector<Open>> calls_;              // by stream and stack
  std::pair<uint64_t, std::vector<Open> *> last_calls_ = {0, nullptr}; // last used entry
  std::unordered_map<uint32_t, std::vector<Meaning>> meanings_;        // by process, then by id
  bool any_ = false, any_off_ = false;
  Measure measure_ = Measure::kTime;
  uint64_t until_ = 0; // the last moment of the lines so far
  std::vector<Seen> seen_;
  std::shared_ptr<const Results> results_;              // null: no condition is on results
  std::unordered_map<uint32_t, uint64_t> results_used_; // begun calls by stream
};

} // namespace nophook
