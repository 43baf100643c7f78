// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The runtime's record of each thread that runs callbacks: whether it is in one (grace periods),
// which one (recursion), and room for its vector registers.
//
// docs/design/callbacks.md has the protocol. Records come from a pool whose memory is never used
// for anything else, so that a reader of the pool needs no lock and a dead thread's record does no
// harm; a record whose thread is gone is taken by a new one.

#pragma once

#include "arch/callback_path.h"
#include "base/status.h"

namespace nophook {

// Callbacks on top of each other in one thread, each in a signal handler that interrupted the one
// before or called by another ops' callback.
constexpr uint32_t kMaxRunning = 8;

struct Running {
  const void *who; // the ops; null while the entry is being made
  uint64_t frame;  // its struct ftrace_regs, while it is open; a lock's: the outermost callback's
  uint64_t place;  // the newest frame when it was entered: a handler below has interrupted it
};

struct Thread {
  CallbackThread callback; // first: the trampolines' part
  uint32_t running_count;
  int32_t tid;
  uint64_t nested_round; // callback.rounds + 1 when it last had a nested frame
  Running running[kMaxRunning];
  uint64_t own_stack; // lowest address of its own stack (ops/own_stack.h), or 0
  uint64_t
      // The place on the program's stack from which its own stack is used; 0: not in use.
      own_stack_user;
  // Vector state follows, kMaxRunning areas of vector_state_bytes().
};

// The calling thread's record, which exists, since the thread is in a callback.
inline Thread *this_thread() {
  return reinterpret_cast<Thread *>(nophook_thread);
}

// The area where running callback number `index` keeps the program's vector state. 64-byte aligned.
void *vector_area(Thread *thread, uint32_t index);

// Prepares records, before the first callback can run: finds out the size of the vector state, and
// installs the fork handler. Errors: ENOMEM.
Status prepare_threads();

// Whether this thread's record is its own: false in a vfork child, and without one.
bool thread_is_watched();

// Calls body(context) as if a callback called it: a grace period that begins later waits until it
// has returned. For code of ours that the program calls. False: no memory for the thread's record,
// and it has not been called.
bool run_as_callback(void (*body)(void *), void *context);
template <class Body> bool run_as_callback(Body body) {
  return run_as_callback([](void *context) { (*static_cast<Body *>(context))(); }, &body);
}

// The two ends of a callback in C++, as the trampolines have them. `frame` is a struct ftrace_regs
// whose `mark` is set. Null: no memory.
inline CallbackThread *begin_callback_frame(uint64_t frame) {
  CallbackThread *thread = nophook_thread;
  if (!thread)
    thread = nophook_thread_first(frame);
  else if (__atomic_load_n(&thread->active, __ATOMIC_RELAXED))
    nophook_thread_nested(thread, frame);
  else
    __atomic_store_n(&thread->active, frame, __ATOMIC_RELAXED);
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  return thread;
}
inline void end_callback_frame(CallbackThread *thread, uint64_t frame) {
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  if (thread->active == frame) {
    // Pairs with wait_for()
    __atomic_store_n(&thread->rounds, thread->rounds + 1, __ATOMIC_RELEASE);
    __atomic_store_n(&thread->active, (uint64_t)0, __ATOMIC_RELEASE);
  } else {
    reinterpret_cast<::ftrace_regs *>(frame)->nested = 0;
  }
}

// Drops the entries of callbacks that were left by longjmp; `frame` is the newest one's.
void drop_abandoned(Thread *thread, uint64_t frame);

// Returns when no thread is in a callback that it has begun before this call; the caller's own
// does not count. Not for signal handlers; do not hold the runtime's lock, as a callback may wait
// for it. Until then, memory that trampolines and callbacks may have a pointer to must stay.
// Errors: ENOSYS (threads run and the kernel refuses membarrier).
Status synchronize_callbacks();

// Waits until no other thread is in a callback, a tenth of a second at most, by nanosleep alone.
void give_callbacks_time();

// Whether synchronize_callbacks() will work, as far as it is known: call it before a change that
// needs it. Errors: the same.
Status can_synchronize_callbacks();

} // namespace nophook
