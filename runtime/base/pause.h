// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A short sleep for loops that wait for another thread.

#pragma once

#include "base/syscall.h"

#include <time.h>

namespace nophook {

// Sleeps for a moment while another thread proceeds. By nanosleep: a sandbox may forbid sched_yield
// (base/few_calls.h).
inline void pause_briefly() {
  constexpr timespec kPause = {0, 20'000};
  sys(SYS_nanosleep, &kPause, nullptr);
}

} // namespace nophook
