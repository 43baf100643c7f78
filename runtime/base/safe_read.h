// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reading the program's memory at an address that may be wrong. The kernel reads it
// (process_vm_readv on ourselves) and knows whether it is there now, not a moment ago: a bad
// address costs a system call and nothing else.
//
// Some sandboxes refuse that system call, and emulators lack it (qemu-user 7.2). From the first
// refusal on, the file of the process's own memory is read instead (base/safe_read.cpp).

#pragma once

#include "base/few_calls.h"
#include "base/memory.h"
#include "base/syscall.h"

#include <errno.h>
#include <stdint.h>
#include <sys/uio.h>

namespace nophook {

extern uint32_t g_reads_file; // whether process_vm_readv has been refused
long safe_read_by_file(uint64_t address, void *to, uint64_t bytes);

// Copies at most `bytes` bytes from `address` on to `to`; `tid` is the calling thread's. Returns
// how many could be read, from the first on, or a negated errno: -EFAULT if not one can be, and
// others (EPERM, ENOENT, ...) if the kernel reads nothing for us. Safe in callbacks and handlers.
inline long safe_read(int tid, uint64_t address, void *to, uint64_t bytes) {
  if (has_few_calls())
    return -EPERM;
  if (__atomic_load_n(&g_reads_file, __ATOMIC_RELAXED))
    return safe_read_by_file(address, to, bytes);
  // Copies up to the end of the page first: the next page may be missing.
  uint64_t split = kPageBytes - address % kPageBytes;
  split = split < bytes ? split : bytes;
  const struct iovec local = {to, bytes};
  const struct iovec remote[2] = {{reinterpret_cast<void *>(address), split},
                                  {reinterpret_cast<void *>(address + split), bytes - split}};
  long result = sys(SYS_process_vm_readv, tid, &local, 1, remote, bytes > split ? 2 : 1, 0);
  bool is_refused = result == -ENOSYS || result == -EPERM || result == -EACCES;
  return is_refused ? safe_read_by_file(address, to, bytes) : result;
}

// Whether the bytes of a page from `address` on can be read at this moment, by a call that every
// sandbox allows: the kernel reads the mask before it sees that nothing is to be done with it. For
// memory that stays, such as text. On an emulator the answer may always be yes.
inline bool is_readable_now(uint64_t address) {
  constexpr int kNothing = -1;
  return sys(SYS_rt_sigprocmask, kNothing, round_down(address, sizeof(uint64_t)), nullptr,
             sizeof(uint64_t)) != -EFAULT;
}

// For the handlers of fork: no descriptor of a read is open while a child is made.
void hold_safe_reads();
void release_safe_reads(); // in the parent
void forget_safe_reads();  // in the child

} // namespace nophook
