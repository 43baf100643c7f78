// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Begins, reverses and ends transitions, and decides in the trampoline. Orders of loads and stores:
// docs/design/livepatch.md.

#include "livepatch/transition.h"

#include "arch/arch.h"
#include "arch/livepatch_path.h"
#include "base/eternal.h"
#include "base/own_identity.h"
#include "base/thread_list.h"
#include "livepatch/left_code.h"
#include "livepatch/looks.h"
#include "livepatch/tasks.h"
#include "ops/thread.h"
#include "poke/island.h"

#include <errno.h>
#include <linux/membarrier.h>

namespace nophook {
namespace {

struct Joined {
  Joined *next;
  CodeRanges ranges[2];
};

} // namespace

// The part of a transition that the trampoline reads. As a plan, it is not reused while a thread
// that has loaded it is in the trampoline.
struct Transition {
  uint32_t number;
  uint32_t target; // side that threads change over to
  bool is_open;    // whether threads may change over: every call of a moved function comes here
  const CodeRanges *left_by[2]; // the code of each side's versions
  uint64_t looks[2];            // numbers of the lists of that code for clients
  CodeRanges first[2];          // the code when the transition began
  Joined *joined;               // the code with functions that have joined since; or null
  Transition *next;             // the next of the ended ones
};

namespace {

Transition *g_free = nullptr, *g_ended = nullptr;

uint32_t g_number = 0;       // number of the last one that has begun
Transition *g_now = nullptr; // under the lock, except in decide_in_switch()
bool g_has_census = false;   // whether every thread that is older than the census has a record
Array<Move> &moves() {
  static Eternal<Array<Move>> moves;
  return *moves;
}
Array<int32_t> &undecided() {
  static Eternal<Array<int32_t>> undecided;
  return *undecided;
}

void sync_threads() {
  // It works, or there is one thread: can_synchronize_callbacks() has checked that.
  sys(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE, 0, 0);
}

// Collects each side's code, and that of the trampoline: a thread in there may have decided.
Status fill_ranges(CodeRanges (&sides)[2], const Array<Move> &from) {
  for (uint32_t side = 0; side < 2; side++) {
    CodeRanges &ranges = sides[side];
    ranges.clear();
    bool works = add_ways_to_versions(ranges);
    for (const Move &move : from)
      works = works && add_version(side ? move.to : move.from, ranges);
    if (!works)
      return failure(ENOMEM, "no memory for a transition");
    ranges.seal();
  }
  return {};
}

void publish_ranges(Transition *now, CodeRanges (&sides)[2]) {
  for (uint32_t side = 0; side < 2; side++) { // pairs with nophook_klp_target's load
    __atomic_store_n(&now->left_by[side], &sides[side], __ATOMIC_RELEASE);
    now->looks[side] = next_look();
  }
}

// Renews the ranges. Looks that continue with the former ranges are void when their threads enter
// the added code.
Status refresh_ranges() {
  auto *joined = static_cast<Joined *>(map_pages(sizeof(Joined)));
  if (!joined)
    return failure(ENOMEM, "no memory for a transition");
  joined->next = g_now->joined;
  g_now->joined = joined;
  NOPHOOK_TRY(fill_ranges(joined->ranges, moves()));
  publish_ranges(g_now, joined->ranges);
  return {};
}

// The side that a thread with this state runs in transition `number`, which is or was the newest
// but one at most.
uint32_t side_in(TaskState state, uint32_t number, uint32_t target) {
  if (state.transition() == number)
    return state.side();
  // A thread that decided on a later transition has seen this one end.
  return (int32_t)(state.transition() - number) > 0 ? target : 0;
}

bool has_decided(const Task *task, const Transition *now) {
  return side_in(task->load(), now->number, now->target) == now->target;
}

// Changes over a thread that sleeps, or a stack that waits; called by the driver. It fails if the
// thread has decided anything since, or the stack has been resumed. `word`: of is_outside().
bool change_over_sleeper(Task *task, const Transition *now, uint64_t *word = nullptr) {
  const TaskState state = task->load(); // before the look
  const uint32_t side = side_in(state, now->number, now->target);
  return is_outside(task, *now->left_by[side], word) &&
         task->exchange(state, state.in(now->number, now->target));
}

ThreadList &threads() {
  static Eternal<ThreadList> threads;
  return *threads;
}

// Gives every thread that is there a record.
bool take_census() {
  bool works = threads().read_whole();
  for (int32_t tid : threads())
    works &= task_of(tid, true) != nullptr;
  return works;
}

void end_transition() {
  for (const Move &move : moves()) {
    const uint64_t entry = (g_now->target ? move.to : move.from)->entry;
    publish_plan(move.dispatch, nullptr, entry, entry);
    publish_word(move.dispatch, entry);
  }
  expect_young(0, nullptr);
  g_now->next = g_ended;
  g_ended = g_now;
  undecided().clear();
  __atomic_store_n(&g_now, nullptr, __ATOMIC_RELEASE);
}

} // namespace

bool in_transition() {
  return g_now;
}

bool is_reversed() {
  return g_now && !g_now->target;
}

namespace {

void give_back(Transition *transition) {
  transition->next = g_free;
  g_free = transition;
}

// A transition for the next use. Replaced ones are reused if no thread is in the trampoline at this
// moment. Otherwise new memory is taken.
Transition *new_transition() {
  if (nobody_is_inside()) {
    reuse_plans();
    while (Transition *ended = g_ended) {
      g_ended = ended->next;
      give_back(ended);
    }
  }
  Transition *transition = g_free;
  if (!transition)
    return static_cast<Transition *>(map_pages(sizeof(Transition)));
  g_free = transition->next;
  while (Joined *joined = transition->joined) {
    transition->joined = joined->next;
    for (CodeRanges &ranges : joined->ranges)
      ranges.~CodeRanges();
    unmap_pages(joined, sizeof(Joined));
  }
  return transition;
}

} // namespace

Status begin_transition(const Array<Move> &wanted) {
  when_island_is_made([] { return g_now ? refresh_ranges() : Status{}; });
  NOPHOOK_TRY(can_synchronize_callbacks()); // it needs the same system call
  Transition *next = new_transition();
  if (!next)
    return failure(ENOMEM, "no memory for a transition");
  if (Status filled = fill_ranges(next->first, wanted); !filled.ok()) {
    give_back(next);
    return filled;
  }
  publish_ranges(next, next->first);
  Status reserved;
  for (const Move &move : wanted)
    if (reserved.ok())
      reserved = reserve_plans(move.dispatch);
  moves().clear();
  if (reserved.ok() && (!moves().reserve(wanted.size()) || !undecided().reserve(64)))
    reserved = failure(ENOMEM, "no memory for a transition");
  if (!reserved.ok()) {
    give_back(next);
    return reserved;
  }
  for (const Move &move : wanted)
    moves().append(move);
  next->target = 1;
  __atomic_store_n(&next->is_open, false, __ATOMIC_RELAXED);
  next->number = ++g_number; // published with the plans
  __atomic_store_n(&g_now, next, __ATOMIC_RELEASE);
  g_has_census = false;
  for (const Move &move : moves()) {
    publish_plan(move.dispatch, g_now, move.from->entry, move.to->entry);
    publish_word(move.dispatch, move.dispatch->thunk);
  }
  // No thread decides before every thread sees every word: otherwise it could call an old version
  // by a word that it still sees.
  sync_threads();
  __atomic_store_n(&next->is_open, true, __ATOMIC_RELEASE);
  return {};
}

Status join_transition(const Move &move) {
  NOPHOOK_TRY(reserve_plans(move.dispatch));
  if (!moves().push(move))
    return failure(ENOMEM, "no memory for a transition");
  if (Status filled = refresh_ranges(); !filled.ok()) {
    leave_transition(move.dispatch);
    return filled;
  }
  publish_plan(move.dispatch, g_now, move.from->entry, move.to->entry);
  publish_word(move.dispatch, move.dispatch->thunk);
  return {};
}

void leave_transition(const Dispatch *dispatch) {
  uint64_t kept = 0;
  for (const Move &move : moves())
    if (move.dispatch != dispatch)
      moves()[kept++] = move;
  moves().shrink(kept);
}

// A thread that has read the old target may be about to change over. Its compare-and-swap fails, as
// each count moves after the target; then it reads the new one. A young thread may have been in
// either side's versions by now. The results of the last look were about the other direction.
void reverse_transition() {
  undecided().clear();
  __atomic_store_n(&g_now->target, g_now->target ^ 1, __ATOMIC_SEQ_CST);
  each_task([](Task *task) {
    for (TaskState state = task->load(); !task->exchange(state, state.grown().counted());)
      state = task->load();
    return true;
  });
}

// Threads that make their record after the census were born behind it, when every word led to the
// trampoline: they have never been in the left versions.
bool look_at_threads() {
  if (!g_has_census && take_census()) {
    expect_young(g_number, &g_now->target);
    sync_threads();
    g_has_census = true;
  }
  undecided().clear();
  bool works = threads().read();
  for (int32_t tid : threads()) {
    Task *task = task_of(tid, false);
    if (task && !has_decided(task, g_now) && !change_over_sleeper(task, g_now))
      works &= undecided().push(tid);
  }
  if (!works || !g_has_census || !undecided().empty())
    return false;
  // A thread that this list has missed has a record, or is young.
  bool any = false;
  each_task([&](Task *task) {
    if (task->is_fiber())
      any |= !has_decided(task, g_now) && !change_over_sleeper(task, g_now);
    else
      any |= task->owner() > 0 && !has_decided(task, g_now) && task->owner() != thread_id() &&
             !bury_task(task);
    return true;
  });
  if (any)
    return false;
  end_transition();
  return true;
}

Status force_transition() {
  for (const Move &move : moves())
    NOPHOOK_TRY(reserve_plans(move.dispatch));
  end_transition();
  return {};
}

uint32_t undecided_threads(int32_t *tids, uint32_t most) {
  uint32_t count = 0;
  for (int32_t tid : undecided())
    if (count < most)
      tids[count++] = tid;
  return count;
}

void each_undecided_thread(void (*visit)(int32_t tid, void *context), void *context) {
  for (int32_t tid : undecided())
    if (const Task *task = task_of(tid, false); g_now && task && !has_decided(task, g_now))
      visit(tid, context);
}

// Visits undecided fibers. A second look finds the word that the first one has found; it may change
// the fiber over.
void each_undecided_fiber(void (*visit)(const FiberFacts &fiber, void *context), void *context) {
  if (!g_now)
    return;
  each_task([&](Task *task) {
    FiberFacts facts = facts_of_fiber(task);
    if (task->is_fiber() && !has_decided(task, g_now) &&
        !change_over_sleeper(task, g_now, &facts.word)) {
      for (const Move &move : moves())
        if (has_code(move.from, facts.word) || has_code(move.to, facts.word))
          facts.function = move.dispatch->id;
      visit(facts, context);
    }
    return true;
  });
}

// Threads that have not decided are on the side that is not the target. If a thread runs a fiber, a
// client finds no frames of its own stack.
void visit_undecided_looks(const LookVisitor &visitor) {
  if (!g_now || undecided().empty())
    return;
  const uint32_t side = g_now->target ^ 1;
  visitor.begin(visitor.context, g_now->looks[side], *g_now->left_by[side]);
  for (int32_t tid : undecided()) {
    const Task *task = task_of(tid, false);
    const TaskState state = task ? task->load() : TaskState{};
    if (task && task->runs() && side_in(state, g_now->number, g_now->target) == side)
      visitor.thread(visitor.context, tid, state.word);
  }
}

bool change_over_seen(uint64_t look, int32_t tid, uint64_t state) {
  if (!g_now || look != g_now->looks[g_now->target ^ 1])
    return false;
  Task *task = task_of(tid, false);
  const TaskState seen = {state};
  return task && task->runs() && // since its state was read, or that has changed
         side_in(seen, g_now->number, g_now->target) != g_now->target &&
         task->exchange(seen, seen.in(g_now->number, g_now->target));
}

void transition_after_fork() {
  tasks_after_fork();
  undecided().clear();
}

namespace {

uint64_t choose(const Dispatch *dispatch, Task *task, uint64_t sp) {
  for (;;) {
    // Behind the store to `inside`, which an acquire may pass: LDAPR of AArch64 does.
    const Plan *plan = __atomic_load_n(&dispatch->plan, __ATOMIC_SEQ_CST);
    const Transition *now = plan->transition;
    if (!now)
      return plan->side[1];
    // The state is loaded first: a thread that sees the count of reverse_transition() sees its
    // target.
    const TaskState state = task->load();
    const uint32_t number = now->number, target = __atomic_load_n(&now->target, __ATOMIC_SEQ_CST),
                   side = side_in(state, number, target);
    if (side == target)
      return plan->side[side];
    const bool may_leave =
        __atomic_load_n(&now->is_open, __ATOMIC_ACQUIRE) &&
        (state.is_young(number) ||
         !own_stack_has(task, sp, *__atomic_load_n(&now->left_by[side], __ATOMIC_ACQUIRE)));
    if (may_leave ? task->exchange(state, state.in(number, target))
                  : task->exchange(state, state.in(number, side).counted()))
      return plan->side[may_leave ? target : side];
  }
}

// Stores the place of entry to the trampoline, until the call ends. A call that siglongjmp has left
// is further down the same stack.
class Inside {
public:
  Inside(Task *task, uint64_t sp) : task_(task) {
    const uint64_t outermost = task->inside;
    is_nested_ = outermost && !(outermost < sp && outermost >= task->low() && sp < task->high());
    if (!is_nested_) // pairs with nobody_is_inside()
      __atomic_store_n(&task->inside, sp, __ATOMIC_SEQ_CST);
  }
  ~Inside() {
    if (!is_nested_)
      __atomic_store_n(&task_->inside, uint64_t{0}, __ATOMIC_RELEASE);
  }
  Inside(const Inside &) = delete;
  Inside &operator=(const Inside &) = delete;

private:
  Task *task_;
  bool is_nested_;
};

} // namespace

// Decides in a switch, which enters no version: a thread that stays on its side counts nothing.
void decide_in_switch(Task *task, uint64_t sp, uint64_t pc) {
  if (!__atomic_load_n(&g_now, __ATOMIC_RELAXED)) // no transition, which is the usual case
    return;
  Inside inside(task, sp);
  const Transition *now = __atomic_load_n(&g_now, __ATOMIC_SEQ_CST); // loaded behind that store
  if (!now || !__atomic_load_n(&now->is_open, __ATOMIC_ACQUIRE))
    return;
  const TaskState state = task->load(); // the state first, as in choose()
  const uint32_t target = __atomic_load_n(&now->target, __ATOMIC_SEQ_CST),
                 side = side_in(state, now->number, target);
  if (side == target)
    return;
  const CodeRanges &left = *__atomic_load_n(&now->left_by[side], __ATOMIC_ACQUIRE);
  if (!left.contain(Arch::code_address(pc)) && !own_stack_has(task, sp, left))
    (void)task->exchange(state, state.in(now->number, target)); // on a failure it decides later
}

// Runs at the entry of a function, on the program's stack, in any thread or handler.
extern "C" uint64_t nophook_klp_target(uint32_t index, uint64_t sp) {
  const Dispatch *dispatch = dispatch_by_index(index);
  Task *thread = this_task();
  if (!thread) // there is no memory for a record: no look takes this thread for one that has
               // decided
    return __atomic_load_n(&dispatch->plan, __ATOMIC_ACQUIRE)->side[0];
  Task *task = task_at(thread, sp);
  Inside inside(task, sp);
  return choose(dispatch, task, sp);
}

} // namespace nophook
