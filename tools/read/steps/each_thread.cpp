// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "read/steps/each_thread.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <tuple>

namespace nophook {

namespace {

// To decode so many takes about as long as to start a thread.
constexpr uint64_t kEventsOfOneWorker = 20'000;

struct Task {
  uint32_t process, stream;
  size_t subbufs;
  Recording::Damages damages = {};
};

bool in_order(const Task &a, const Task &b) {
  return std::tie(a.process, a.stream) < std::tie(b.process, b.stream);
}

// The damage is in the tasks.
Skipped visit_all(const Recording &recording, unsigned workers, const WantedThread &wanted,
                  const VisitThread &visit, std::vector<Task> *all) {
  std::vector<Task> &tasks = *all;
  for (const auto &[stream, recorded] : recording.streams())
    tasks.push_back({recorded.process, stream, recorded.subbufs.size()});
  std::ranges::sort(tasks, in_order);
  if (workers > 1)
    std::ranges::sort(tasks, [&](const Task &a, const Task &b) {
      return a.subbufs != b.subbufs ? a.subbufs > b.subbufs : in_order(a, b);
    });

  // Relaxed: joining the workers is what publishes the rest.
  std::atomic<size_t> next = 0;
  Skipped skipped;
  std::mutex lock;
  std::exception_ptr failure;
  auto work = [&](unsigned worker) {
    try {
      for (size_t i; (i = next.fetch_add(1, std::memory_order_relaxed)) < tasks.size();) {
        Thread thread(recording, tasks[i].stream, &tasks[i].damages);
        if (wanted && !wanted(thread))
          continue;
        visit(thread, worker);
        std::lock_guard held(lock);
        skipped += thread.timeline().skipped();
      }
    } catch (...) {
      next.store(tasks.size(), std::memory_order_relaxed);
      std::lock_guard held(lock);
      failure = std::current_exception();
    }
  };
  std::vector<std::jthread> others;
  try {
    for (unsigned worker = 1; worker < workers; worker++)
      others.emplace_back(work, worker);
  } catch (const std::system_error &) { // no more threads: those that there are do all
  }
  work(0);
  others.clear();
  if (failure)
    std::rethrow_exception(failure);
  std::ranges::sort(tasks, in_order);
  return skipped;
}

} // namespace

unsigned decoding_workers(const Recording &recording) {
  uint64_t worth = recording.events() / kEventsOfOneWorker;
  uint64_t most = std::min<uint64_t>(worth, recording.streams().size());
  return (unsigned)std::clamp<uint64_t>(most, 1, std::max(1u, std::thread::hardware_concurrency()));
}

Skipped each_thread(Recording &recording, unsigned workers, const WantedThread &wanted,
                    const VisitThread &visit) {
  std::vector<Task> tasks;
  const Skipped skipped = visit_all(recording, workers, wanted, visit, &tasks);
  for (Task &task : tasks)
    recording.add_damage(std::move(task.damages));
  return skipped;
}

void each_thread_before(const Recording &recording, unsigned workers, const WantedThread &wanted,
                        const VisitThread &visit) {
  std::vector<Task> tasks;
  visit_all(recording, workers, wanted, visit, &tasks);
}

} // namespace nophook
