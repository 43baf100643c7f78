// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The thread that drives a transition: it changes sleeping threads over, and finds that all have
// changed. It lives as long as the transition. Threads that enter patched functions decide by
// themselves, so a transition without it goes on, but does not end.

#pragma once

namespace nophook {

// Starts it, if a transition is under way and it does not run. Without the runtime's lock.
void ensure_driver();

// In a child of fork, which does not have it. The next call of a function of include/livepatch.h
// starts one.
void driver_after_fork();

// One look at all threads, and what follows when all have changed over. False: there is no
// transition any more.
bool drive_transition();

} // namespace nophook
