// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A batch's questions to the kernel about the process's threads. All of them are cold: they read
// /proc.

#pragma once

#include "base/memory.h"

namespace nophook {

// Whether this thread is the only one, as the kernel counts them; false if it does not show that.
bool single_threaded();

// Whether a debugger traces this process with ptrace: it would get the traps first.
bool debugger_attached();

// What an int3 of ours would kill, though the handler of SIGTRAP is installed: static text, or
// null for nothing.
//
// A thread that keeps SIGTRAP blocked. Many block it for a moment (libc, our own slow path): one
// counts that is seen with it in 100 looks, and sleeps or has run between them. One that gets no
// processor is waited for, a minute at most. A hint: masks change.
//
// A child of vfork that was born before the handler was installed: it runs in our memory, but its
// handlers are a copy. Its parent sleeps in the call until the child has ended or called exec, and
// is waited for, five seconds at most. A thread that runs may be in that call in front of the
// sleep, so it is waited for until it has slept elsewhere, or has run for 1 ms: that piece of the
// call takes 50 us. Children that are born since have the handler; `is_inherited`: all of them.
const char *killed_by_traps(bool is_inherited);

// The threads that have executed an int3 of ours, perhaps, and are not yet in its handler.
//
// Between the two a thread runs a straight piece of the kernel, from the exception to the
// delivery of the signal, in which it never sleeps. So it is through when it
//   - is gone, or
//   - sleeps, and no SIGTRAP is pending for it, or
//   - has run for 1 ms of its own time since: the piece takes about a microsecond.
// Time is the thread's own: one that gets no processor is waited for, however long it takes.
class TrappedThreads {
public:
  // Takes all other threads. No int3 of ours can be executed any more. False: there is no memory,
  // or /proc does not show the threads; all_through() stays false then.
  bool take_all();

  // Forgets those that are through; whether that was the last one.
  bool all_through();

private:
  struct Thread {
    int tid;
    uint64_t ran_ns;
  };
  Array<Thread> threads_;
  bool known_ = true;
};

} // namespace nophook
