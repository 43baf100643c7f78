// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A write that would make a file larger than RLIMIT_FSIZE fails, and the kernel also sends SIGXFSZ,
// which kills the process; a write to a pipe without a reader sends SIGPIPE. A look at the limit
// before the write is not enough, because another thread may lower it. Both signals go to the
// writing thread alone, so they are blocked there for the length of the call and then taken away.

#pragma once

#include "base/syscall.h"

#include <errno.h>
#include <signal.h>

namespace nophook {

// Makes system call `number`, which may write to a file or make it larger. The result is -EFBIG or
// -EPIPE where libc's function would also raise a signal. Thread, signal and fork safe.
template <class... Args> inline long sys_growing(long number, Args... args) {
  constexpr uint64_t kOurs = uint64_t{1} << (SIGXFSZ - 1) | uint64_t{1} << (SIGPIPE - 1);
  constexpr long kAtOnce[2] = {0, 0};
  uint64_t before = 0, pending = 0;
  sys(SYS_rt_sigprocmask, SIG_BLOCK, &kOurs, &before, sizeof before);
  if (before & kOurs)
    sys(SYS_rt_sigpending, &pending, sizeof pending);
  long result = sys(number, args...);
  uint64_t raised = result == -EFBIG   ? uint64_t{1} << (SIGXFSZ - 1)
                    : result == -EPIPE ? uint64_t{1} << (SIGPIPE - 1)
                                       : 0;
  if (raised & ~pending) // a signal that was pending before is the program's
    sys(SYS_rt_sigtimedwait, &raised, nullptr, kAtOnce, sizeof raised);
  sys(SYS_rt_sigprocmask, SIG_SETMASK, &before, nullptr, sizeof before);
  return result;
}

} // namespace nophook
