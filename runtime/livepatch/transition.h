// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A transition: patched functions change their versions, thread by thread. docs/design/livepatch.md
// has the protocol. There is one transition at a time; all but the trampoline is under the
// runtime's lock.

#pragma once

#include "base/status.h"
#include "livepatch/dispatch.h"
#include "livepatch/fibers.h"
#include "livepatch/looks.h"

namespace nophook {

// A change of one function: the version that is left, and the version that is entered.
struct Move {
  Dispatch *dispatch;
  const Version *from, *to;
};

// Whether a transition is under way, and whether it goes from `to` to `from` now.
bool in_transition();
bool is_reversed();

// Begins a transition. When this returns, each thread decides for itself. `moves` must stay until
// it ends. Errors: ENOMEM, ENOSYS (threads run and the kernel refuses membarrier); nothing has
// changed.
Status begin_transition(const Array<Move> &moves);

// Adds or removes a function whose library is being loaded or unloaded.
Status join_transition(const Move &move);
void leave_transition(const Dispatch *dispatch);

// Reverses its direction from now on.
void reverse_transition();

// Looks at all threads once. True: all of them have decided, and the transition has ended: the
// words lead to the entered versions.
bool look_at_threads();

// Ends it, whatever threads are doing. Errors: ENOMEM; then it continues.
Status force_transition();

// The threads that the last look has not seen change over; at most `most` are stored.
uint32_t undecided_threads(int32_t *tids, uint32_t most);

// Calls visit(tid, context) for each of them that has still not changed over.
void each_undecided_thread(void (*visit)(int32_t tid, void *context), void *context);

// The same for each fiber that has not changed over, after a look at it.
void each_undecided_fiber(void (*visit)(const FiberFacts &fiber, void *context), void *context);

// The threads of the last look that have still not changed over, for clients that stop them.
void visit_undecided_looks(const LookVisitor &visitor);

// A client has seen the thread outside of the code of `look`, when it had this state or behind
// that. False: the thread, the transition or the code has changed since, and nothing is done.
bool change_over_seen(uint64_t look, int32_t tid, uint64_t state);

// The calling thread is about to leave its stack, or the fiber that it is on: `task`. The task
// changes over if it can, as at the entry of a patched function. `sp`, `pc`: those of
// start_switch().
void decide_in_switch(Task *task, uint64_t sp, uint64_t pc);

// Called in a child of fork.
void transition_after_fork();

} // namespace nophook
