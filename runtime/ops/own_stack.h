// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A stack of the runtime's own, for code that would take too much of the program's: the traced
// function may have been called on the last pages of a thread, on a fiber of 4 KiB, on a signal
// stack of the least size.
//
// A handler of the program's must not run there: it may need megabytes, look where its stack ends,
// or leave by longjmp, for which libc wants to be on the stack it knows. So all signals are blocked
// in the meantime, except SIGTRAP, which patching needs. It follows that any function on such a
// stack has been called by `body`.

#pragma once

#include "ops/thread.h"

namespace nophook {

constexpr uint64_t kOwnStackBytes = 64 << 10; // and an unusable page below

// Calls body(context) on the calling thread's own stack; on the present one if the thread is there
// already, or if there is no memory for one. In a callback; body() returns. About 200 bytes of the
// program's stack and two system calls.
void run_on_own_stack(void (*body)(void *), void *context);

template <class Body> void run_on_own_stack(Body body) {
  run_on_own_stack([](void *context) { (*static_cast<Body *>(context))(); }, &body);
}

inline bool is_on_own_stack(const Thread *thread, uint64_t place) {
  return thread->own_stack_user && place - thread->own_stack < kOwnStackBytes;
}

} // namespace nophook
