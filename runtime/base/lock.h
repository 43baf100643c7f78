// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one lock of the runtime's cold side. A thread that registers modules, edits filters, changes
// the tracer or patches text holds it. The event path never takes it.
//
// A fork by another thread must not leave the child with a lock that no thread will release. The
// fork handlers take it before the fork and release it on both sides. A thread that comes while
// others sleep for it sleeps behind them, so a thread that changes filters all the time keeps no
// fork waiting.
//
// A fork by a signal handler that has interrupted the holder itself cannot wait for the holder. It
// goes ahead, and the change is cut in its child: the lists are half-changed there, and the lock
// stays taken until the handler returns, which it need not do.

#pragma once

namespace nophook {

// Thread safe; not for signal handlers, and not to be taken twice by one thread. The first
// use installs the fork handlers.
void runtime_lock();
void runtime_unlock();

// Whether this thread must not take the lock, for it might wait for ever: it is in a handler that
// has interrupted the holder, or it was left by siglongjmp as one, or it is in a child where a
// change is cut. Signal safe.
bool must_not_lock();

// Calls `child` in each child of fork, once however often it is given here. `is_whole`: no change
// is cut there. False: there is no memory for that. The lock is held.
using ForkChild = void (*)(bool is_whole);
[[nodiscard]] bool at_fork_child(ForkChild child);

// Whether this process, or one that it was forked from, has forked by libc's fork().
bool has_forked();

// Calls `ends` in a child whose handler has returned, when the interrupted change is done. The lock
// is held.
void when_cut_change_ends(void (*ends)());

class RuntimeLock {
public:
  RuntimeLock() { runtime_lock(); }
  ~RuntimeLock() { runtime_unlock(); }
  RuntimeLock(const RuntimeLock &) = delete;
  RuntimeLock &operator=(const RuntimeLock &) = delete;
};

} // namespace nophook
