// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "read/analyse/costs.h"

#include "read/steps/each_thread.h"

#include <nophook/buffer.h>

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <map>
#include <mutex>
#include <optional>
#include <tuple>

namespace nophook {

namespace {

// The modules or files of all workers: numbers for their names. A worker that asks locks the
// functions.
class GroupNames {
public:
  GroupNames(CostsBy by, Functions &functions) : by_(by), functions_(functions) {}

  uint32_t of_function(uint32_t process, uint32_t id) {
    std::lock_guard held(functions_.mutex());
    uint64_t key = functions_.key(process, id);
    std::string name = printable(by_ == CostsBy::kModule ? functions_.module_path_of_key(key)
                                                         : functions_.source_of_key(key).file);
    if (name.empty())
      name = by_ == CostsBy::kModule ? "(unknown)" : "(no debug info)";
    auto [at, is_new] = numbers_.try_emplace(name, (uint32_t)names_.size());
    if (is_new)
      names_.push_back(name);
    return at->second;
  }

  const std::string &name(uint32_t group) const { return names_[group]; }

private:
  CostsBy by_;
  Functions &functions_;
  std::vector<std::string> names_;
  std::unordered_map<std::string, uint32_t> numbers_;
};

// One worker's cache of the groups that its functions belong to.
class Groups {
public:
  explicit Groups(GroupNames &names) : names_(names) {}

  uint32_t of_function(uint32_t process, uint32_t id) {
    if (id >= 1u << NOPHOOK_ID_BITS) // the event is damaged
      return names_.of_function(process, id);
    std::vector<uint32_t> &known = known_[process];
    if (id >= known.size())
      known.resize(id + 1, kUnknown);
    if (known[id] == kUnknown)
      known[id] = names_.of_function(process, id);
    return known[id];
  }

private:
  static constexpr uint32_t kUnknown = ~uint32_t{0};
  GroupNames &names_;
  std::unordered_map<uint32_t, std::vector<uint32_t>> known_; // by process, then by id
};

// The costs of one process by function id, or of all processes by group, and the number of open
// calls in the thread that is being read.
class Ledger {
public:
  struct Row {
    FunctionCost cost;
    uint64_t open = 0; // number of open calls, on the thread's first stack
  };

  explicit Ledger(bool durations) : durations_(durations) {}

  void add(uint32_t id, const Step &step, const StepFilter::Verdict &verdict) {
    Row &row = row_of(id);
    row.cost.hits += verdict.hit;
    if (step.shape == Step::kInstant)
      return;
    uint64_t &open = step.stack ? others_[(uint64_t)step.stack << 32 | id] : row.open;
    if (step.shape == Step::kBegin) {
      open++;
      return;
    }
    if (step.shape == Step::kEnd)
      open--;
    if (verdict.counts)
      add_time(row, step, open == 0);
  }

  // Calls visit(id, cost) for each function that was called, by rising ids.
  template <class Visit> void each(Visit visit) const {
    for (uint32_t page = 0; page < pages_.size(); page++)
      for (uint32_t i = 0; pages_[page] && i < kPageRows; i++)
        if (const FunctionCost &cost = (*pages_[page])[i].cost; cost.hits || cost.total_ticks)
          visit(page * kPageRows + i, cost);
  }

private:
  // The rows are in pages: few functions of a large program run, and a damaged recording may have
  // any id.
  static constexpr uint32_t kPageRows = 256;
  using Page = std::array<Row, kPageRows>;

  Row &row_of(uint32_t id) {
    if (id / kPageRows >= pages_.size())
      pages_.resize(id / kPageRows + 1);
    auto &page = pages_[id / kPageRows];
    if (!page)
      page = std::make_unique<Page>();
    return (*page)[id % kPageRows];
  }

  void add_time(Row &row, const Step &step, bool outermost) const {
    row.cost.self_ticks += step.ticks - std::min(step.children_ticks, step.ticks);
    if (outermost)
      row.cost.total_ticks += step.ticks;
    if (!durations_)
      return;
    if (!row.cost.durations)
      row.cost.durations = std::make_shared<DurationHistogram>();
    row.cost.durations->add(step.ticks);
  }

  bool durations_;
  std::vector<std::unique_ptr<Page>> pages_;
  std::unordered_map<uint64_t, uint64_t> others_; // number of open calls, by stack and function
};

void add(FunctionCost *sum, const FunctionCost &cost) {
  sum->hits += cost.hits;
  sum->self_ticks += cost.self_ticks;
  sum->total_ticks += cost.total_ticks;
  if (!cost.durations)
    return;
  if (sum->durations)
    sum->durations->merge(*cost.durations);
  else
    sum->durations = cost.durations;
}

void number_by_name(std::vector<FunctionCost> *costs) {
  std::ranges::sort(*costs, {}, &FunctionCost::group);
  for (size_t i = 0; i < costs->size(); i++)
    (*costs)[i].key = i;
}

std::string thread_name(const std::string &comm, int32_t tid) {
  return fmt::format("{}-{}", comm, tid);
}

} // namespace

std::vector<FunctionCost> read_costs(Recording &recording, Functions &functions, StepFilter *filter,
                                     Skipped *skipped, const CostQuery &query) {
  const bool by_function = query.by == CostsBy::kFunction, by_thread = query.by == CostsBy::kThread;
  GroupNames names(query.by, functions);
  std::unordered_map<uint64_t, FunctionCost> sums; // by key; of threads and groups: by number
  std::map<uint32_t, std::string> threads;         // by stream; two may have one name and number
  std::mutex lock;                                 // for `sums` and `threads`
  // The state of one worker: the costs of one process, as far as the worker has decoded it.
  struct Part {
    explicit Part(GroupNames &all) : groups(all) {}
    Groups groups;
    std::optional<StepFilter> filter;
    uint32_t process = 0;
    std::optional<Ledger> ledger;
  };
  auto join = [&](Part &part) {
    if (!part.ledger)
      return;
    std::scoped_lock held(lock, functions.mutex());
    part.ledger->each([&](uint32_t id, const FunctionCost &cost) {
      uint64_t key = by_function ? functions.key(part.process, id) : id;
      add(&sums[key], cost);
    });
    part.ledger.reset();
  };
  std::vector<Part> parts;
  while (parts.size() < decoding_workers(recording)) {
    parts.emplace_back(names);
    if (filter)
      parts.back().filter.emplace(filter->fork());
  }
  auto wanted = [&](const Thread &thread) { return !filter || filter->wants(thread); };
  auto visit = [&](Thread &thread, unsigned worker) {
    Part &part = parts[worker];
    if (part.process != thread.process() || by_thread)
      join(part);
    part.process = thread.process();
    if (!part.ledger)
      part.ledger.emplace(query.durations);
    bool any = false;
    Step step;
    while (thread.timeline().next(&step) || thread.timeline().next_open(&step)) {
      const auto verdict =
          part.filter ? part.filter->pass(thread, &step) : StepFilter::verdict_on_all(step);
      if (!step.is_of_call() || !verdict.selected)
        continue;
      if (by_thread && !std::exchange(any, true)) {
        std::lock_guard held(lock);
        threads[thread.stream()] = thread_name(thread.comm(), thread.tid());
      }
      part.ledger->add(by_function ? step.id
                       : by_thread ? 0
                                   : part.groups.of_function(part.process, step.id),
                       step, verdict);
    }
    if (by_thread && part.ledger) {
      std::lock_guard held(lock);
      part.ledger->each(
          [&](uint32_t, const FunctionCost &cost) { add(&sums[thread.stream()], cost); });
      part.ledger.reset();
    }
  };
  *skipped += each_thread(recording, (unsigned)parts.size(), wanted, visit);
  for (Part &part : parts) {
    join(part);
    if (filter)
      filter->join(*part.filter);
  }
  std::vector<FunctionCost> costs;
  for (auto &[key, cost] : sums) {
    costs.push_back(std::move(cost));
    costs.back().key = key;
    if (!by_function)
      costs.back().group = by_thread ? threads[(uint32_t)key] : names.name((uint32_t)key);
  }
  if (!by_function && !by_thread) // chance decides which worker finds a group first
    number_by_name(&costs);
  std::sort(costs.begin(), costs.end(), [](const FunctionCost &a, const FunctionCost &b) {
    return std::make_tuple(b.self_ticks, b.hits, a.key) <
           std::make_tuple(a.self_ticks, a.hits, b.key);
  });
  return costs;
}

std::vector<FunctionCost> profile_costs(const Recording &recording, Functions &functions,
                                        CostsBy by) {
  const bool by_function = by == CostsBy::kFunction;
  std::map<uint64_t, FunctionCost> costs;
  GroupNames names(by, functions);
  Groups groups(names);
  std::vector<std::string> threads;
  for (const auto &[index, process] : recording.processes())
    for (const ProfileView &profile : process.profiles) {
      if (by == CostsBy::kThread)
        threads.push_back(profile.tid ? thread_name(printable(profile.comm), profile.tid)
                                      : "threads that have ended");
      for (const ProfileRow &row : profile.rows) {
        uint64_t key = by_function              ? functions.key(index, (uint32_t)row.id)
                       : by == CostsBy::kThread ? threads.size() - 1
                                                : groups.of_function(index, (uint32_t)row.id);
        FunctionCost &cost = costs[key];
        cost.key = key;
        if (!by_function)
          cost.group = by == CostsBy::kThread ? threads[key] : names.name((uint32_t)key);
        cost.hits += row.counts.hits;
        cost.self_ticks += row.counts.self;
        cost.total_ticks += by_function ? row.counts.total : 0;
      }
    }
  std::vector<FunctionCost> list;
  for (const auto &[key, cost] : costs)
    list.push_back(cost);
  return list;
}

} // namespace nophook
