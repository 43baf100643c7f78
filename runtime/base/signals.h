// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "base/syscall.h"

#include <stdint.h>

namespace nophook {

// All signals are blocked in this thread, for the length of a scope.
class BlockSignals {
public:
  BlockSignals() {
    uint64_t all = ~uint64_t{0};
    sys(SYS_rt_sigprocmask, 2 /* SIG_SETMASK */, &all, &before_, sizeof before_);
  }
  // Whether one was blocked before, as in most handlers.
  bool some_were_blocked() const { return before_ != 0; }
  ~BlockSignals() { sys(SYS_rt_sigprocmask, 2, &before_, nullptr, sizeof before_); }
  BlockSignals(const BlockSignals &) = delete;
  BlockSignals &operator=(const BlockSignals &) = delete;

private:
  uint64_t before_ = 0;
};

} // namespace nophook
