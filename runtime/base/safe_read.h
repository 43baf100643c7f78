// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reading the program's memory at an address that may be wrong. The kernel reads it
// (process_vm_readv on ourselves) and knows whether it is there now, not a moment ago: a bad
// address costs a system call and nothing else.

#pragma once

#include "base/memory.h"
#include "base/syscall.h"

#include <stdint.h>
#include <sys/uio.h>

namespace nophook {

// Copies at most `bytes` bytes from `address` on to `to`; `tid` is the calling thread's. Returns
// how many could be read, from the first on, or a negated errno: -EFAULT if not one can be, and
// others (EPERM, ENOSYS: seccomp) if the kernel reads nothing for us. Safe in callbacks and
// handlers.
inline long safe_read(int tid, uint64_t address, void *to, uint64_t bytes) {
  // The end of the page first: the next one may not be there.
  uint64_t split = kPageBytes - address % kPageBytes;
  split = split < bytes ? split : bytes;
  const struct iovec local = {to, bytes};
  const struct iovec remote[2] = {{reinterpret_cast<void *>(address), split},
                                  {reinterpret_cast<void *>(address + split), bytes - split}};
  return sys(SYS_process_vm_readv, tid, &local, 1, remote, bytes > split ? 2 : 1, 0);
}

} // namespace nophook
