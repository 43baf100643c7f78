// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The state of each thread in a transition: which of the two sides it runs. A registered fiber has
// such a state, too (livepatch/fibers.h).
//
// A thread finds its record by a word in thread-local storage, the driver of a transition by the
// thread's number. Both may make it. That is done under a small lock with signals blocked, so there
// is one record for each thread. Records are never unmapped.

#pragma once

#include <stdint.h>

namespace nophook {

// A thread's state is one word, so that a decision is one compare-and-swap:
//
//      63..32   the transition that the thread has last decided about; 0: none
//      31       the side that it runs in that transition
//      30       it is younger than the transition: nothing that is left can be on its stack
//      29..0    how often it has gone on in the version that is left, or has had to look again
//
// The count makes each such decision visible: a driver that has looked at the thread before it, and
// wants to change it over after it, fails.
struct TaskState {
  uint64_t word;

  static constexpr uint64_t kSide = uint64_t{1} << 31, kYoung = uint64_t{1} << 30,
                            kCount = kYoung - 1;
  uint32_t transition() const { return (uint32_t)(word >> 32); }
  uint32_t side() const { return word & kSide ? 1 : 0; }
  bool is_young(uint32_t number) const { return word & kYoung && transition() == number; }
  TaskState grown() const { return {word & ~kYoung}; }
  TaskState counted() const { return {(word & ~kCount) | ((word + 1) & kCount)}; }
  TaskState in(uint32_t transition, uint32_t its_side) const {
    return {(uint64_t)transition << 32 | (its_side ? kSide : 0) | (word & kCount)};
  }
};

struct Task {
  int32_t tid;    // thread; 0: free; kLent: a vfork child has taken the record; kFiber: a fiber's
  uint64_t state; // a TaskState
  // 0: not in the trampoline, else the stack pointer of its outermost call. Until it is 0, the data
  // that the trampoline reads keeps its meaning. Only the thread writes it, its handlers included.
  uint64_t inside;
  // The bounds of the stack: [low, high). For a thread they are set as far as its stack is known,
  // and only for the thread itself. A look at a fiber's may meet the next fiber that has the
  // record: then the count has moved.
  uint64_t stack_low, stack_high;
  // The use of the stack. kRuns: a thread runs there; kWaits: none, and the part behind `waits_sp`
  // is live; else the record of the thread that is about to leave it. A thread's own stack has this
  // as well: fibers run in between.
  uint64_t place;
  uint64_t waits_sp, waits_pc;
  // For a thread: the fiber that it runs, or null; and the one that it is switching to.
  Task *fiber, *enters;
  Task *thread;    // for a fiber: the thread that has run it last
  uint64_t serial; // for a fiber: a number that no other one had
  Task *next_free; // the next free one of the records of fibers

  static constexpr int32_t kFiber = -2; // beside kLent of base/own_identity.h, which is -1
  static constexpr uint64_t kRuns = 0, kWaits = 1;

  int32_t owner() const { return __atomic_load_n(&tid, __ATOMIC_ACQUIRE); }
  bool is_fiber() const { return owner() == kFiber; }
  bool runs() const { return __atomic_load_n(&place, __ATOMIC_ACQUIRE) == kRuns; }
  uint64_t low() const { return __atomic_load_n(&stack_low, __ATOMIC_RELAXED); }
  uint64_t high() const { return __atomic_load_n(&stack_high, __ATOMIC_RELAXED); }
  bool contains(uint64_t sp) const { return sp >= low() && sp < high(); }
  void set_stack(uint64_t from, uint64_t to) {
    __atomic_store_n(&stack_low, from, __ATOMIC_RELAXED);
    __atomic_store_n(&stack_high, to, __ATOMIC_RELAXED);
  }

  TaskState load() const { return {__atomic_load_n(&state, __ATOMIC_ACQUIRE)}; }
  // Pairs with load(): a thread that sees a decision sees all stores before it.
  bool exchange(TaskState from, TaskState to) {
    return __atomic_compare_exchange_n(&state, &from.word, to.word, false, __ATOMIC_SEQ_CST,
                                       __ATOMIC_ACQUIRE);
  }
};

// The calling thread's record, made if it has none; null without memory. Runs in the trampoline.
Task *this_task();

// The record of thread `tid`; null if it has none, and `makes` is false or there is no memory.
Task *task_of(int32_t tid, bool makes);

// Declares that records which threads make for themselves from now on are of threads younger than
// `transition`; 0: no longer. Every older thread has a record. A new fiber has changed over to
// `target`.
void expect_young(uint32_t transition, const uint32_t *target);

// A record for a new fiber, whose stack holds nothing; null: no memory. free_fiber() gives it back.
Task *make_fiber(uint64_t stack_low, uint64_t stack_high);
void free_fiber(Task *fiber);

// Calls visit(task) for each record of a thread or a fiber, until it returns false.
void each_task(bool (*visit)(void *context, Task *task), void *context);
template <class Visit> void each_task(Visit visit) {
  each_task([](void *context, Task *task) { return (*static_cast<Visit *>(context))(task); },
            &visit);
}

// Frees the record of a thread that has ended. False: the thread may live.
bool bury_task(Task *task);

// Whether no thread is in the trampoline with data that it loaded earlier.
bool nobody_is_inside();

// In a child of fork: only the calling thread is left.
void tasks_after_fork();

} // namespace nophook
