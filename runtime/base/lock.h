// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one lock of the runtime's cold side: who registers modules, edits filters, changes the
// tracer or patches text holds it. The event path never takes it.
//
// A fork by another thread must not leave the child with a lock that nobody will release: the
// fork handlers take it before the fork and release it on both sides. It serves in the order
// of arrival, so that a thread that changes filters all the time keeps no fork waiting.

#pragma once

namespace nophook {

// Thread safe; not for signal handlers, and not to be taken twice by one thread. The first
// use installs the fork handlers.
void runtime_lock();
void runtime_unlock();

class RuntimeLock {
public:
  RuntimeLock() { runtime_lock(); }
  ~RuntimeLock() { runtime_unlock(); }
  RuntimeLock(const RuntimeLock &) = delete;
  RuntimeLock &operator=(const RuntimeLock &) = delete;
};

} // namespace nophook
