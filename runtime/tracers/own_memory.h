// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reading the program's memory at an address that may be wrong. The kernel reads it
// (process_vm_readv on ourselves), and knows whether it is there, now and not a moment ago: a bad
// address costs a system call and nothing else.

#pragma once

#include "base/memory.h"
#include "ops/thread.h"

#include <sys/uio.h>

namespace nophook {

// How many bytes from `address` on could be read, at most `bytes`. In callbacks.
inline uint32_t read_own_memory(uint64_t address, void *to, uint32_t bytes) {
  // The end of the page first: what is behind it may not be there.
  uint64_t split = kPageBytes - address % kPageBytes;
  split = split < bytes ? split : bytes;
  const struct iovec local = {to, bytes};
  const struct iovec remote[2] = {{reinterpret_cast<void *>(address), split},
                                  {reinterpret_cast<void *>(address + split), bytes - split}};
  long count = sys(SYS_process_vm_readv, this_thread()->tid, &local, 1, remote, 2, 0);
  return sys_failed(count) ? 0 : (uint32_t)count;
}

} // namespace nophook
