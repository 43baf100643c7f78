// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory of a shared file is taken before it is used: where the file system has none left, a store
// would be a SIGBUS. madvise(MADV_POPULATE_WRITE) does that. A sandbox may refuse it (Chromium's:
// EPERM; OpenSSH's since 9.8: EINVAL). Then the kernel is made to store to each page itself, which
// fails with EFAULT where a store of ours would kill: pselect6() of no descriptors reads a set of
// 64 bits that are 0 and writes it back.

#pragma once

#include "base/memory.h"

#include <errno.h>

namespace nophook {

// Touches each page by a system call. The last word of each page must be 0, and must stay so in the
// meantime.
inline long touch_pages(char *at, uint64_t bytes) {
  constexpr int kDescriptors = 64, kTries = 100;
  for (uint64_t page = 0; page < bytes; page += kPageBytes) {
    long result = -EINTR;
    for (int i = 0; i < kTries && result == -EINTR; i++) {
      uint64_t no_time[2] = {};
      result = sys(SYS_pselect6, kDescriptors, at + page + kPageBytes - sizeof(uint64_t), nullptr,
                   nullptr, no_time, nullptr);
    }
    if (sys_failed(result))
      return result;
  }
  return 0;
}

// Takes the memory of whole pages of a shared file. 0, or a negated errno.
inline long take_pages(char *at, uint64_t bytes) {
  const long result = sys(SYS_madvise, at, bytes, MADV_POPULATE_WRITE);
  const bool is_refused =
      result == -EPERM || result == -EINVAL || result == -EACCES || result == -ENOSYS;
  return is_refused ? touch_pages(at, bytes) : result;
}

} // namespace nophook
