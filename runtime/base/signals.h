// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sets of signals, and a scope in which they are blocked.

#pragma once

#include "base/syscall.h"

#include <signal.h>
#include <stdint.h>

namespace nophook {

// The signals that an instruction raises where it stands: SIGILL, SIGTRAP, SIGBUS, SIGFPE, SIGSEGV,
// SIGSYS. The kernel kills a thread that raises one which it blocks.
constexpr uint64_t kRaisedByCode = 1u << 3 | 1u << 4 | 1u << 6 | 1u << 7 | 1u << 10 | 1u << 30;

// Blocks all signals but `left` in this thread, for the length of a scope.
class BlockSignals {
public:
  explicit BlockSignals(uint64_t left = 0) {
    uint64_t all = ~left;
    sys(SYS_rt_sigprocmask, SIG_SETMASK, &all, &before_, sizeof before_);
  }
  // Whether some signal was blocked before, as in most handlers.
  bool some_were_blocked() const { return before_ != 0; }
  ~BlockSignals() { sys(SYS_rt_sigprocmask, 2, &before_, nullptr, sizeof before_); }
  BlockSignals(const BlockSignals &) = delete;
  BlockSignals &operator=(const BlockSignals &) = delete;

private:
  uint64_t before_ = 0;
};

} // namespace nophook
