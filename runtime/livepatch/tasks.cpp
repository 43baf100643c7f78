// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tables of records: one of threads, one of fibers. The table of threads is searched from its
// head: a search happens once for each thread and transition, and in the driver.

#include "livepatch/tasks.h"

#include "base/memory.h"
#include "base/own_identity.h"
#include "base/signals.h"

#include <time.h>

namespace nophook {

extern "C" constinit thread_local Task *nophook_klp_task
    __attribute__((tls_model("initial-exec"), visibility("hidden"))) = nullptr;

namespace {

struct Chunk {
  Chunk *next;
  Task tasks[(kPageBytes - sizeof(Chunk *)) / sizeof(Task)];
};
static_assert(sizeof(Chunk) <= kPageBytes);

// Under TableLock; each_task() follows it without: chunks are pushed at the head, complete.
Chunk *g_chunks = nullptr;
Chunk *g_fibers = nullptr;
Task *g_free_fibers = nullptr;
uint64_t g_fiber_serial = 0;
uint32_t g_young_since = 0;
const uint32_t *g_young_target = nullptr; // the side of that transition that fibers are made for
bool g_lock = false;

// A lock for the search, by threads whose signals are blocked: no thread waits for itself.
class TableLock {
public:
  TableLock() {
    for (uint32_t tries = 0; __atomic_exchange_n(&g_lock, true, __ATOMIC_ACQUIRE); tries++)
      if (tries > 1000) { // the lock's holder has no processor
        constexpr timespec kPause = {0, 50'000};
        sys(SYS_nanosleep, &kPause, nullptr);
      }
  }
  ~TableLock() { __atomic_store_n(&g_lock, false, __ATOMIC_RELEASE); }
  TableLock(const TableLock &) = delete;
  TableLock &operator=(const TableLock &) = delete;

private:
  BlockSignals block_;
};

template <class Visit> Task *find_in(Chunk *const &chunks, Visit is_it) {
  for (Chunk *chunk = __atomic_load_n(&chunks, __ATOMIC_ACQUIRE); chunk; chunk = chunk->next)
    for (Task &task : chunk->tasks)
      if (is_it(task))
        return &task;
  return nullptr;
}
template <class Visit> Task *find_if(Visit is_it) {
  Task *thread = find_in(g_chunks, is_it);
  return thread ? thread : find_in(g_fibers, is_it);
}

Task *find(int32_t tid) {
  return find_in(g_chunks, [=](const Task &task) { return task.tid == tid; });
}

Chunk *add_chunk(Chunk *&chunks) {
  auto *chunk = static_cast<Chunk *>(map_pages(sizeof(Chunk)));
  if (chunk) {
    chunk->next = chunks;
    __atomic_store_n(&chunks, chunk, __ATOMIC_RELEASE);
  }
  return chunk;
}

Task *make(int32_t tid, TaskState state) {
  Task *task = find(0);
  if (!task) {
    Chunk *chunk = add_chunk(g_chunks);
    if (!chunk)
      return nullptr;
    task = chunk->tasks;
  }
  task->set_stack(0, 0);
  __atomic_store_n(&task->inside, uint64_t{0}, __ATOMIC_RELEASE); // as the former thread did
  task->place = Task::kRuns;
  task->fiber = task->enters = nullptr;
  __atomic_store_n(&task->state, state.word, __ATOMIC_RELAXED);
  __atomic_store_n(&task->tid, tid, __ATOMIC_RELEASE); // pairs with each_task()
  return task;
}

// Frees a record. The stores order all reads of the thread in front of them, also for
// nobody_is_inside(), which skips the record.
void free_task(Task *task) {
  __atomic_store_n(&task->tid, 0, __ATOMIC_RELEASE);
}

__attribute__((noinline)) Task *find_own() {
  TableLock lock;
  Task *had = nophook_klp_task;
  if (is_vfork_child()) {
    // In a vfork child: its parent's thread, whose storage this is, continues with the record, and
    // looks for its own.
    nophook_klp_task = had ? had : make(kLent, {0});
    return nophook_klp_task;
  }
  const int32_t mine = thread_id();
  Task *task = find(mine);
  if (!task) {
    uint64_t young = g_young_since ? (uint64_t)g_young_since << 32 | TaskState::kYoung : 0;
    // A thread that continues from its vfork child was there before.
    task = make(mine, {had ? had->load().word : young});
  }
  if (had && had->tid == kLent)
    free_task(had);
  nophook_klp_task = task;
  return task;
}

} // namespace

Task *this_task() {
  Task *task = nophook_klp_task;
  if (task && (task->tid != kLent || is_vfork_child()))
    return task;
  return find_own();
}

Task *task_of(int32_t tid, bool makes) {
  TableLock lock;
  Task *task = find(tid);
  return task || !makes ? task : make(tid, {0});
}

void expect_young(uint32_t transition, const uint32_t *target) {
  TableLock lock;
  g_young_since = transition;
  g_young_target = target;
}

// Makes a fiber's record. The count continues, so that a look at the record's former fiber fails.
Task *make_fiber(uint64_t stack_low, uint64_t stack_high) {
  TableLock lock;
  if (!g_free_fibers) {
    Chunk *chunk = add_chunk(g_fibers);
    for (uint32_t i = 0; chunk && i < sizeof chunk->tasks / sizeof(Task); i++) {
      chunk->tasks[i].next_free = g_free_fibers;
      g_free_fibers = &chunk->tasks[i];
    }
  }
  Task *fiber = g_free_fibers;
  if (!fiber)
    return nullptr;
  g_free_fibers = fiber->next_free;
  const TaskState old = fiber->load().counted();
  // Nothing is on the stack yet, so either side is right.
  const TaskState state =
      g_young_since ? old.in(g_young_since, __atomic_load_n(g_young_target, __ATOMIC_RELAXED))
                    : old.in(0, 0);
  fiber->set_stack(stack_low, stack_high);
  __atomic_store_n(&fiber->inside, uint64_t{0}, __ATOMIC_RELEASE); // as its last thread did
  __atomic_store_n(&fiber->waits_sp, stack_high, __ATOMIC_RELAXED);
  __atomic_store_n(&fiber->waits_pc, uint64_t{0}, __ATOMIC_RELAXED);
  __atomic_store_n(&fiber->thread, nullptr, __ATOMIC_RELAXED);
  fiber->serial = ++g_fiber_serial;
  __atomic_store_n(&fiber->place, Task::kWaits, __ATOMIC_RELEASE);
  __atomic_store_n(&fiber->state, state.word, __ATOMIC_RELEASE);
  __atomic_store_n(&fiber->tid, Task::kFiber, __ATOMIC_RELEASE); // pairs with each_task()
  return fiber;
}

// Frees a fiber's record. The thread that has switched away from it may still be about to report
// that: `place` is not its own.
void free_fiber(Task *fiber) {
  TableLock lock;
  if (!fiber->is_fiber()) // it is destroyed twice
    return;
  __atomic_store_n(&fiber->place, Task::kRuns, __ATOMIC_RELEASE);
  free_task(fiber);
  fiber->next_free = g_free_fibers;
  g_free_fibers = fiber;
}

void each_task(bool (*visit)(void *context, Task *task), void *context) {
  find_if([&](Task &task) { return task.owner() != 0 && !visit(context, &task); });
}

bool bury_task(Task *task) {
  TableLock lock;
  if (task->tid > 0 && !is_thread_gone(task->tid))
    return false;
  if (task->tid > 0)
    free_task(task);
  return true;
}

// Whether no thread is in the trampoline. Each thread stores `inside` and then loads its plan; here
// a fence is between the replacement of plans and these loads. At least one of the two sees the
// other's step.
bool nobody_is_inside() {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  return !find_if([](const Task &task) {
    const int32_t tid = task.owner();
    return tid && __atomic_load_n(&task.inside, __ATOMIC_SEQ_CST) &&
           (tid < 0 || !is_thread_gone(tid));
  });
}

// Keeps the fibers in the child, where they wait, too. A fiber that another thread ran does not
// continue.
void tasks_after_fork() {
  g_lock = false;
  Task *mine = nophook_klp_task;
  find_in(g_chunks, [&](Task &task) {
    task.tid = &task == mine ? thread_id() : 0;
    return false;
  });
  find_in(g_fibers, [&](Task &fiber) {
    if (!fiber.tid || (fiber.place == Task::kRuns && fiber.thread == mine))
      return false;
    if (fiber.place == Task::kRuns) {
      fiber.waits_sp = fiber.high();
      fiber.waits_pc = 0;
    }
    fiber.place = Task::kWaits;
    return false;
  });
}

} // namespace nophook
