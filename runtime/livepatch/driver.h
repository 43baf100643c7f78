// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The thread that drives a transition: it changes sleeping threads over, and finds that all have
// changed. It lives as long as the transition. Threads that enter patched functions decide by
// themselves, so a transition without it goes on, but does not end.

#pragma once

namespace nophook {

// Starts the driver, if a transition is under way and no driver runs. Without the runtime's lock.
void ensure_driver();

// Called in a child of fork, which has no driver. The next call of a function of
// include/livepatch.h starts one.
void driver_after_fork();

// Looks at all threads once, and ends the transition when all have changed over. False: there is no
// transition any more.
bool drive_transition();

} // namespace nophook
