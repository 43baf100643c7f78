// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "base/syscall.h"

#include <time.h>

namespace nophook {

// While another thread does what is waited for. By nanosleep: a sandbox may forbid sched_yield
// (base/few_calls.h).
inline void pause_briefly() {
  constexpr timespec kPause = {0, 20'000};
  sys(SYS_nanosleep, &kPause, nullptr);
}

} // namespace nophook
